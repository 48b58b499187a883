import { expect, test } from 'vitest';
import { realFolder } from './real-folder.ts';

test('a file is no folder to work in', () => {
  expect(() => realFolder(import.meta.filename)).toThrow(
    expect.objectContaining({ code: 'folder_missing', message: `${import.meta.filename} is not a folder.` }),
  );
});
