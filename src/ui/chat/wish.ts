import type { PermissionAnswer } from '../../core/permission.ts';

/** What goes back: both, the conversation, or the files. */
export type RewindPart = 'both' | 'conversation' | 'files';

/** What the chat asks of the world. */
export type Wish =
  | { readonly type: 'run'; readonly prompt: string; readonly shown: string }
  | { readonly type: 'shell'; readonly command: string }
  | { readonly type: 'command'; readonly name: string; readonly argument: string }
  | { readonly type: 'remember'; readonly text: string }
  | { readonly type: 'answer'; readonly requestId: string; readonly answer: PermissionAnswer }
  | { readonly type: 'steer'; readonly text: string }
  | { readonly type: 'interrupt' | 'leave' | 'suspend' | 'list_files' | 'repaint' }
  /** Back to the end of a turn; the prompt that followed it goes into the input. */
  | { readonly type: 'rewind'; readonly toTurn: number; readonly part: RewindPart; readonly prompt: string }
  /** The picture on the clipboard. */
  | { readonly type: 'paste_image' }
  /** A file that was dropped here, and the text that it came as. */
  | { readonly type: 'attach'; readonly path: string; readonly text: string }
  | { readonly type: 'edit_text'; readonly text: string };
