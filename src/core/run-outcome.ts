/** How a run ended. */
export type RunOutcome = 'done' | 'max_turns' | 'budget' | 'refused' | 'aborted' | 'failed';
