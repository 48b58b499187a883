import samples from './own-samples.json' with { type: 'json' };

/** Inputs that somebody chose for a tool. */
export interface ToolSamples {
  readonly samples: readonly unknown[];
  readonly slowInput: unknown;
}

const KNOWN: ReadonlyMap<string, { readonly samples: readonly unknown[]; readonly slow?: unknown }> = new Map(
  Object.entries(samples),
);

/** The inputs to try a built-in tool with, for a bench in this folder. */
export function ownSamples(name: string, cwd: string): ToolSamples {
  const known = KNOWN.get(name);
  return { samples: placed(known?.samples ?? [], cwd) as readonly unknown[], slowInput: placed(known?.slow ?? null, cwd) };
}

/** Puts the folder in for `${cwd}`. */
export function placed(value: unknown, cwd: string): unknown {
  return JSON.parse(JSON.stringify(value), (_key, item: unknown) =>
    typeof item === 'string' ? item.replaceAll('${cwd}', () => cwd) : item,
  );
}
