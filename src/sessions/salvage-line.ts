import type { JsonObject } from '../core/json-value.ts';
import { parseRecord } from './session-record.ts';

const RECORD_START = '{"';
/** Each try reads what is left of the line. */
const MAX_TRIES = 200;
const MAX_TRIED_CHARS = 20_000_000;

/**
 * The whole records in a damaged line. After a power cut a run of NULs may stand where the end of one record and the line end were; then
 * what follows is whole. The inside of a cut record is never taken for one: nothing but a record ends where its line ends.
 */
export function salvageLine(line: string): readonly JsonObject[] {
  return line.split(/\0+/).flatMap((piece) => {
    const record = lastRecordIn(piece);
    return record === null ? [] : [record];
  });
}

function lastRecordIn(piece: string): JsonObject | null {
  let at = piece.indexOf(RECORD_START);
  let tried = 0;
  for (let tries = 0; at !== -1 && tries < MAX_TRIES && tried < MAX_TRIED_CHARS; tries++) {
    const isTried = isKnownStart(piece, at);
    if (isTried) tried += piece.length - at;
    const record = isTried ? parseRecord(piece.slice(at)) : null;
    if (record !== null) return record;
    at = piece.indexOf(RECORD_START, at + 1);
  }
  return null;
}

/** As this program writes them: events begin with their number, all else with its type. */
function isKnownStart(piece: string, at: number): boolean {
  return piece.startsWith('{"seq":', at) || piece.startsWith('{"type":"', at);
}
