import type { PermissionRequest } from '../permission-question.ts';
import { displayWidth } from '../text/display-width.ts';

/** Rows of the dialog that show the call itself. */
export const MAX_SUBJECT_ROWS = 3;
export const MAX_PART_ROWS = 4;
/** The rows that are drawn again at most. */
export const MAX_LIVE_ROWS = 14;
/** Columns that the names of all keys take together, at most. */
const KEYS_COLUMNS = 170;
const BORDERS = 2;
const OFFER_ROWS = 2;

/**
 * True where the dialog shows all that is approved: one short command and few reasons, in a window that has room for them. Otherwise the
 * whole call goes to the scrollback first, where nothing of it is hidden.
 */
export function isShownWhole(
  { details, parts, offers }: PermissionRequest,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): boolean {
  const [only] = details;
  if (details.length !== 1 || only === undefined || parts.length > MAX_PART_ROWS) return false;
  const inner = Math.max(10, columns - 6);
  const subjectRows = Math.ceil(displayWidth(only) / inner);
  if (subjectRows > MAX_SUBJECT_ROWS) return false;
  const below = parts.length + (offers.length > 0 ? OFFER_ROWS : 0) + Math.ceil(KEYS_COLUMNS / inner) + BORDERS;
  return subjectRows + below <= Math.min(MAX_LIVE_ROWS, rows - 2);
}
