/** A kind of text that differs from run to run by nature. */
export interface SteadyRule {
  readonly name: string;
  /** What it covers, for people. */
  readonly covers: string;
  readonly pattern: RegExp;
  readonly put: string;
}

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const CLOCK = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?(?: ?[AP]M)?';

/** The rules in the order in which they are applied. docs/replay.md lists them. */
export const STEADY_RULES: readonly SteadyRule[] = [
  {
    name: 'output-files',
    covers: 'the files that long output goes to',
    pattern: /[^\s'"<>]*\/output-[\w-]+\.txt\b/g,
    put: '{output-file}',
  },
  {
    name: 'temp-names',
    covers: 'names in a folder for temporary files',
    pattern: /(?:\{temp\}|(?:\/private)?\/(?:var\/)?tmp)\/[\w.@+-]+/g,
    put: '{temp}/{name}',
  },
  {
    name: 'times',
    covers: 'dates and times of day, as programs write them',
    pattern: new RegExp(
      [
        `\\b\\d{4}-\\d{2}-\\d{2}(?:[T ]${CLOCK}(?: ?(?:Z|[+-]\\d{2}:?\\d{2}|[A-Z]{3,4}))?)?`,
        `\\b(?:${DAY},? )?(?:\\d{1,2} ${MONTH}|${MONTH} {1,2}\\d{1,2}),? (?:\\d{4} )?${CLOCK}(?: [A-Z]{3,4}| [+-]\\d{4})?(?: \\d{4})?(?: [+-]\\d{4})?`,
        `\\b${MONTH} {1,2}\\d{1,2} {1,2}\\d{4}\\b`,
        '\\b\\d{1,2}:\\d{2}:\\d{2}(?:[.,]\\d+)?\\b',
      ].join('|'),
      'g',
    ),
    put: '{time}',
  },
  {
    name: 'durations',
    covers: 'how long something took',
    pattern:
      /\b\d+m ?\d+(?:\.\d+)?s\b|\b\d+(?:[.,]\d+)? ?(?:ns|µs|us|ms|s|secs?|seconds?|msecs?|milliseconds?)\b|\bduration_ms:? \d+(?:\.\d+)?/g,
    put: '{duration}',
  },
  {
    name: 'process-ids',
    covers: 'numbers of processes',
    pattern: /\b(?:pid|PID|process)(?:[ :=]| id )\s?\d+\b|^\[\d+\] \d+$/gm,
    put: '{process}',
  },
  {
    name: 'ports',
    covers: 'ports of this machine',
    pattern: /\b(?:localhost|127\.0\.0\.1|\[::1\]):\d{2,5}\b/g,
    put: '{port}',
  },
  {
    name: 'commit-ids',
    covers: 'ids of commits, which hold their time',
    pattern: /^commit [0-9a-f]{40}\b|^[0-9a-f]{7,12} (?=\S)|(?<=^\[[^\]\n]{1,80} )[0-9a-f]{7,12}(?=\])/gm,
    put: '{commit}',
  },
];
