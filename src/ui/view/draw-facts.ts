import type { Theme } from '../theme.ts';

/** What every part of the view needs to draw. */
export interface DrawFacts {
  readonly theme: Theme;
  readonly columns: number;
  /** The folder that paths are told from. */
  readonly cwd: string;
}
