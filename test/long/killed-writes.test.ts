import { test } from 'vitest';
import { expectWholeFiles } from '../crash/killed-writes.ts';

test('kill -9 at 200 moments of a 3 MB WriteFile never leaves a mixed file', () => expectWholeFiles(200));
