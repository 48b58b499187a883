import type { Finding } from './finding.ts';
import type { ShellPart } from './report.ts';
import type { ShellWord } from './shell-word.ts';

/** What is reported of a finding. */
export function partOf(text: string, words: readonly (string | null)[], finding: Finding): ShellPart {
  const { effect, because, beyondPrefix, beyondRules, reads, writes, needsNetwork, runsProjectCode, gitFolder } = finding;
  const part = {
    text,
    words,
    effect,
    because,
    beyondPrefix,
    beyondRules,
    reads,
    writes,
    needsNetwork,
    runsProjectCode,
    gitFolder,
  };
  return finding.plainWords === undefined ? part : { ...part, plainWords: finding.plainWords };
}

/** Words as a person reads them and rules match them. */
export function renderWords(words: readonly ShellWord[]): string {
  return words.map(({ text }) => text).join(' ');
}
