import type { PermissionRequest } from '../permission-question.ts';
import { displayWidth } from '../text/display-width.ts';

/** Rows of the dialog that show the call itself. */
export const MAX_SUBJECT_ROWS = 3;
export const MAX_PART_ROWS = 4;

/**
 * True where the dialog shows all that is approved: one short command and few reasons. Otherwise the whole call goes to the scrollback
 * first, where nothing of it is hidden.
 */
export function isShownWhole({ details, parts }: PermissionRequest, columns: number): boolean {
  const [only] = details;
  if (details.length !== 1 || only === undefined || parts.length > MAX_PART_ROWS) return false;
  return displayWidth(only) <= MAX_SUBJECT_ROWS * Math.max(10, columns - 6);
}
