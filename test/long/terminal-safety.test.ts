import { test } from 'vitest';
import { expectSafeText } from '../terminal-fuzz.ts';

test('nothing that steers a terminal is left of 1,000,000 texts', { timeout: 600_000 }, () => expectSafeText(1_000_000));
