import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts'],
    globalSetup: ['test/built-command.ts'],
    testTimeout: 600_000,
    env: { WIELD_DEBUG: '1' },
  },
});
