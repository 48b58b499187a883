import { isWithin } from '../../core/footprint.ts';
import type { Judgement } from '../../core/permission.ts';
import type { PermissionPolicy } from '../../core/policy.ts';
import type { Hook } from '../../core/ports.ts';
import type { Tool } from '../../core/tool.ts';
import type { RecordedCall, RecordedDecision } from '../../sessions/replay-script.ts';

export interface ReplayGateOptions {
  /** The only folder that a replay may change, a real path. */
  readonly root: string;
  readonly calls: ReadonlyMap<string, RecordedCall>;
  /** Whether commands can be confined, or may run without. */
  mayRunCommands(): Promise<boolean>;
  /** Words of then with the places of now. */
  moved(text: string): string;
}

const HOOK_REFUSAL = 'a hook refused it: ';

/**
 * The gate of a replay. It plays what was decided, and is never laxer than the real one: what that denies is denied, what was not run then
 * is not run now, nothing reaches the network, nothing outside of the replay's own folder is changed, and what the real one would ask
 * about there, secrets above all, is not read: who wrote the session may be somebody else.
 */
export function replayPolicy(gate: PermissionPolicy, options: ReplayGateOptions): PermissionPolicy {
  return {
    mode: gate.mode,
    resolve: (tool, input) => gate.resolve(tool, input),
    remember: async () => null,
    judge: async (tool, input, resolved, toolUseId) => {
      const real = offline(await gate.judge(tool, input, resolved));
      const recorded = options.calls.get(toolUseId ?? '')?.decision ?? null;
      if (recorded === null) return denied(real, 'it was not run in the session');
      const because = options.moved(recorded.because);
      if (recorded.decision === 'deny') return deniedAsThen(real, recorded, because);
      if (real.decision === 'deny') return real;
      const reach = await reachOf(tool, real, options);
      if (reach !== null) return denied(real, reach);
      if (recorded.by === 'user') return { ...real, decision: 'ask', offers: [] };
      return { ...real, decision: 'allow', because };
    },
  };
}

/** Refuses what a hook refused, in its words, and gives the words that hooks gave with results. No hook runs. */
export function replayHook({ calls, moved }: ReplayGateOptions): Hook {
  return {
    name: 'replay',
    beforeTool: async ({ id }) => {
      const decision = calls.get(id)?.decision ?? null;
      if (decision?.by !== 'hook' || decision.decision !== 'deny') return null;
      return { deny: moved(decision.because.replace(HOOK_REFUSAL, '')) };
    },
    afterTool: async ({ id }) => {
      const words = (calls.get(id)?.result?.content ?? []).flatMap((block) => {
        const said = block.type === 'text' ? /^<hook_context>\n([\s\S]*)\n<\/hook_context>$/.exec(block.text)?.[1] : undefined;
        return said === undefined ? [] : [moved(said)];
      });
      return words.length === 0 ? null : words.join('\n</hook_context>\n<hook_context>\n');
    },
  };
}

function deniedAsThen(real: Judgement, { by }: RecordedDecision, because: string): Judgement {
  // A hook says it itself; a person, or nobody, is asked.
  if (by === 'hook') return { ...real, decision: 'allow' };
  return { ...real, decision: by === 'rule' ? 'deny' : 'ask', because, offers: [] };
}

function offline(judgement: Judgement): Judgement {
  const { footprint, confinement } = judgement.grant;
  const writes = confinement.writes === 'anything' ? 'workspace' : confinement.writes;
  return {
    ...judgement,
    grant: { footprint, confinement: { ...confinement, writes, network: false, writable: [], readable: [] } },
  };
}

/** Why a call reaches further than a replay goes, or null. */
async function reachOf(
  tool: Tool,
  { decision, grant: { footprint } }: Judgement,
  { root, mayRunCommands }: ReplayGateOptions,
): Promise<string | null> {
  if (footprint.extent === 'everything' || tool.category === 'shell')
    return (await mayRunCommands()) ? null : 'commands cannot be confined on this machine, and a replay runs them only confined';
  const read = footprint.reads.flatMap((resource) => (resource.kind === 'file' ? [resource.path] : []));
  const foreign = decision === 'ask' ? read.find((path) => !isWithin(path, root)) : undefined;
  if (foreign !== undefined)
    return `here it would be asked, since it reads ${foreign}, and what was said then was said elsewhere`;
  const written = footprint.writes.flatMap((resource) => (resource.kind === 'file' ? [resource.path] : []));
  const outside = written.find((path) => !isWithin(path, root));
  if (outside !== undefined) return `a replay changes nothing outside of its folder, and ${outside} is`;
  return [...footprint.reads, ...footprint.writes].some(({ kind }) => kind === 'net')
    ? 'a replay does without the network'
    : null;
}

function denied(judgement: Judgement, because: string): Judgement {
  return { ...judgement, decision: 'deny', because, offers: [] };
}
