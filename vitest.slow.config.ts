import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** What starts so many processes that `npm test` would no longer be quick: each change that lands runs it, after `npm test`. */
export const SLOW = [
  'src/tools/git-safety.test.ts',
  'test/conformance/kit.test.ts',
  'test/e2e/bad-input.test.ts',
  'test/e2e/mcp-find-tool.test.ts',
  'test/e2e/resumed-state.test.ts',
  'test/e2e/rewind.test.ts',
  'test/e2e/session-branches.test.ts',
  'src/host/search/plain-walk.test.ts',
  'test/sandbox-escape.test.ts',
  'test/undo-commands.test.ts',
  'test/crash/**',
  'test/e2e/export-page.test.ts',
  'test/e2e/kill.test.ts',
  'test/e2e/odd-places.test.ts',
  'test/e2e/tool-kit.test.ts',
];

export default defineConfig({
  test: {
    include: SLOW.map((path) => path.replace(/\*\*$/, '**/*.test.ts')),
    globalSetup: ['test/built-command.ts'],
    maxWorkers: availableParallelism(),
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    env: { WIELD_DEBUG: '1' },
  },
});
