import type { PermissionAnswer } from '../../core/permission.ts';
import type { ChatState } from './state.ts';

/** What the chat asks of the world. */
export type Wish =
  | { readonly type: 'run'; readonly prompt: string; readonly shown: string }
  | { readonly type: 'shell'; readonly command: string }
  | { readonly type: 'command'; readonly name: string; readonly argument: string }
  | { readonly type: 'remember'; readonly text: string }
  | { readonly type: 'answer'; readonly requestId: string; readonly answer: PermissionAnswer }
  | { readonly type: 'steer'; readonly text: string }
  | { readonly type: 'interrupt' | 'leave' | 'suspend' | 'list_files' | 'repaint' }
  | { readonly type: 'edit_text'; readonly text: string };

export interface Reduced {
  readonly state: ChatState;
  readonly wishes: readonly Wish[];
}
