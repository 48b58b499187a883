import type { SpotEdit } from '../reading/spots.ts';
import type { Call } from '../toolbox.ts';

/** An EditFile call; with `isEverywhere` it changes every place of the text. */
export function editCall(path: string, edit: SpotEdit, isEverywhere: boolean): Call {
  const input = { path, old_string: edit.oldText, new_string: edit.newText };
  return { tool: 'EditFile', input: isEverywhere ? { ...input, replace_all: true } : input };
}
