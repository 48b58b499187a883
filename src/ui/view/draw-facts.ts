import type { Theme } from '../theme.ts';
import type { Say } from '../words/say.ts';

/** What every part of the view needs to draw. */
export interface DrawFacts {
  readonly theme: Theme;
  readonly say: Say;
  readonly columns: number;
  /** The folder that paths are told from. */
  readonly cwd: string;
}
