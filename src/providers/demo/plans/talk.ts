import type { Plan } from '../plan.ts';
import { bulleted, paragraphs, type Scene, say } from '../scene.ts';
import type { TalkTask } from '../understanding/task.ts';

// oxlint-disable-next-line require-yield -- a plan without a call
/** Answers what is about the demo model itself. */
export function* planTalk(scene: Scene, task: TalkTask): Plan {
  switch (task.about) {
    case 'greet':
      return paragraphs(say(scene, 'greeting'), abilities(scene));
    case 'help':
      return paragraphs(say(scene, 'helpHead'), abilities(scene), say(scene, 'realModel'));
    case 'identity':
      return paragraphs(say(scene, 'identity'), say(scene, 'realModel'));
    case 'thanks':
      return say(scene, 'welcome');
    case 'nothing_before':
      return say(scene, 'nothingBefore');
    case 'declined':
      return say(scene, 'declined');
    case 'too_long':
      return say(scene, 'tooLong');
    case 'which_file':
      return say(scene, 'whichFile');
    case 'cannot':
      return paragraphs(say(scene, 'cannot'), abilities(scene), say(scene, 'realModel'));
    case 'unknown':
      return paragraphs(say(scene, 'unknown'), abilities(scene), say(scene, 'realModel'));
  }
}

function abilities(scene: Scene): string {
  return bulleted(scene, say(scene, 'abilities').split('\n'));
}
