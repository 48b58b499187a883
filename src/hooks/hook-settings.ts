/** The moments at which the user's own commands can run. */
export const HOOK_EVENTS = ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart', 'Stop'] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** What `hooks` in a settings file may say. Events and keys that are not known here are no fault of the file: others use them. */
export const HOOKS_SCHEMA = {
  type: 'object',
  description: 'Commands of your own to run at certain moments, by event.',
  additionalProperties: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        matcher: { type: 'string', description: 'The tools it is for, as a regular expression; all where it is left out.' },
        hooks: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              type: { type: 'string' },
              command: { type: 'string', description: 'A shell command.' },
              timeout: { type: 'number', exclusiveMinimum: 0, maximum: 3600, description: 'Its time limit in seconds.' },
            },
            required: ['type'],
          },
        },
      },
      required: ['hooks'],
      additionalProperties: false,
    },
  },
} as const;

/** `hooks` of a settings file, as the schema admits it. */
export type HookSettings = Readonly<Record<string, readonly HookGroup[]>>;

export interface HookGroup {
  readonly matcher?: string;
  readonly hooks: readonly { readonly type: string; readonly command?: string; readonly timeout?: number }[];
}
