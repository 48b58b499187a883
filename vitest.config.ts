import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { SLOW } from './vitest.slow.config.ts';

export default defineConfig({
  // The examples import the package as its users do.
  resolve: {
    alias: [
      { find: /^wield$/, replacement: join(import.meta.dirname, 'src/index.ts') },
      { find: /^wield\/mcp$/, replacement: join(import.meta.dirname, 'src/adapters/mcp.ts') },
      { find: /^wield\/(\w+)$/, replacement: join(import.meta.dirname, 'src/$1/index.ts') },
    ],
  },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/long/**', ...SLOW],
    globalSetup: ['test/built-command.ts'],
    // Most tests wait for processes that they started; with the one worker fewer that is usual, a core would idle.
    maxWorkers: availableParallelism(),
    // Modules keep nothing from one session to the next, so files of tests may share them; loading them anew for each took a third of the time.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Each request is looked at as a strict server would.
    env: { WIELD_DEBUG: '1' },
  },
});
