import type { EffectJournal, FileAccess, Version } from '../../core/ports.ts';
import type { ToolRunnerOptions } from '../../calls/run-tools.ts';
import type { ParentCall } from './witness.ts';

type Surroundings = Omit<ToolRunnerOptions, 'registry' | 'ask' | 'steps'>;

/** The parent's surroundings as a sub-agent has them: it has seen no file yet, starts no agents, and what it does is on record as done for the call. */
export function ownView(tools: Surroundings, { toolUseId }: ParentCall): Surroundings {
  const seen = new Map<string, Version>();
  return {
    ...tools,
    journal: onBehalfOf(tools.journal, toolUseId),
    contextFor: (call, grant, signal, emit) => {
      const { agents: _agents, ...context } = tools.contextFor(call, grant, signal, emit);
      return { ...context, files: seenIn(seen, context.files) };
    },
  };
}

function onBehalfOf(journal: EffectJournal, toolUseId: string): EffectJournal {
  return {
    started: (call, scope) => journal.started(call, { ...scope, onBehalfOf: toolUseId }),
    finished: (call, result) => journal.finished(call, result),
  };
}

/** Its parent has not seen what it reads. By another name a file counts as not seen, which is safe. */
function seenIn(seen: Map<string, Version>, files: FileAccess): FileAccess {
  return {
    tracksSeen: files.tracksSeen,
    realPath: (path) => files.realPath(path),
    stat: (path) => files.stat(path),
    list: (path) => files.list(path),
    read: (path, range) => files.read(path, range),
    replace: (path, bytes, expect) => files.replace(path, bytes, expect),
    transact: (changes) => files.transact(changes),
    seen: (path) => seen.get(path) ?? null,
    noteSeen: (path, version) => void seen.set(path, version),
  };
}
