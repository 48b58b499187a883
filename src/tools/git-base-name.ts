/** What a model should change about the name of a commit before anything runs, or null. */
export function baseFault(base: string): string | null {
  if (base.trim() === '') return '"base" is empty. Give a commit, branch or tag, or leave it out for the last commit.';
  if (base.startsWith('-')) return `"base" must name a commit, and no name starts with "-": "${base}".`;
  if (/[\0\n]/.test(base)) return '"base" holds a line end or NUL, which no name of a commit can.';
  if (base.includes('..'))
    return `"base" is one commit, not a range: "${base}". Give its first part; for a range use Bash (git diff ${base}).`;
  return null;
}
