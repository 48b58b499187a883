import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/long/**'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Each request is looked at as a strict server would.
    env: { WIELD_DEBUG: '1' },
  },
});
