import type { Confinement, DecisionCause, DecisionPart, PermissionRule } from '../core/permission.ts';
import type { SandboxDenial } from '../core/policy.ts';
import type { Tool } from '../core/tool.ts';
import { inspectCommand } from '../shell/inspect.ts';
import type { ShellPart, ShellReport } from '../shell/report.ts';
import type { Considered, Gate } from './gate.ts';
import { guardOf, secretOf } from './judge-files.ts';
import { considerPlaces, type PlacesOfPart } from './judge-places.ts';
import { followsLinks, isReading, isRedirection } from './part-facts.ts';
import { obstacleTo } from './obstacles.ts';
import { type Folders, foldersOf, refusedByWords } from './rules/refused-places.ts';
import { type CommandPart, covers, rulesOnPart } from './rules/rule-match.ts';

/** A command as the gate sees it. */
export interface ConsideredCommand {
  readonly considered: readonly Considered[];
  /** What it may reach where it is allowed, by the policy or by a person. */
  readonly confinement: Confinement;
}

/** What a command line does, from where the session works. */
export function reportOn({ options }: Gate, command: string): ShellReport {
  return inspectCommand(command, { cwd: options.cwd, home: options.home });
}

/** True where nothing of a command does more than read; one that says nothing at all is not known to. */
export function onlyReads(report: ShellReport): boolean {
  return report.isClear && report.parts.length > 0 && report.parts.every(isReading);
}

/** Every part of a command, and every place that it touches, with the rules that speak of it. */
export async function considerCommand(gate: Gate, tool: Tool, command: string): Promise<ConsideredCommand> {
  const report = reportOn(gate, command);
  if (!report.isClear) return considerUnclear(gate, tool, command, report.because);
  if (report.parts.length === 0) return considerUnclear(gate, tool, command, 'there is no command in it');
  const isFollowing = report.parts.some(followsLinks);
  const folders = foldersOf(gate.options.cwd, report.parts);
  const [places, refused] = await Promise.all([
    Promise.all(report.parts.map((part) => considerPlaces(gate, { ...part, followsLinks: isFollowing }))),
    Promise.all(report.parts.map((part) => considerWords(gate, tool, { part, command }, folders))),
  ]);
  const own = await Promise.all(
    places.map((one, i) => considerPart(gate, tool, { part: report.parts[i] as ShellPart, command }, one)),
  );
  const ats = report.parts.map((part) => ({ part, command }));
  const noted = notesOn(gate, command);
  const network = mayReachNetwork(gate, ats, onlyReads(report));
  return {
    considered: [
      ...own.flat(),
      ...(network ? sharers(gate, ats) : []),
      ...refused.filter((one) => one !== null),
      ...(await considerDenials(gate, ats, command)),
    ],
    confinement: {
      writes: onlyReads(report) ? 'nothing' : 'workspace',
      network,
      writable: [...new Set([...places.flatMap(({ writable }) => writable), ...(noted.writable ?? [])])],
      readable: [...new Set(places.flatMap(({ readable }) => readable))],
    },
  };
}

/** A part that may touch what a rule refuses asks; only a person who wrote all of it as a rule knew what it does. */
async function considerWords(gate: Gate, tool: Tool, at: CommandPart, folders: Folders): Promise<Considered | null> {
  const part = await refusedByWords(gate, at.part, folders);
  if (part === null) return null;
  const knowing = gate.rules.filter(
    ({ rule, command }) =>
      rule.behavior === 'allow' && rule.tool === tool.name && command?.isPrefix === false && covers(command, at),
  );
  return { part, rules: knowing.map(({ rule }) => rule) };
}

async function considerUnclear(gate: Gate, tool: Tool, command: string, because: string): Promise<ConsideredCommand> {
  const { mode } = gate.options;
  const whole: ShellPart = { ...NOTHING_KNOWN, text: command, beyondRules: because };
  const refusing = gate.rules.some(({ rule }) => rule.tool === tool.name && rule.behavior !== 'allow');
  const base = basePart(gate, whole);
  // Whether it is what a rule refuses cannot be told.
  const part =
    base.decision === 'allow' && refusing ? { ...base, decision: 'ask' as const, cause: 'unclear' as const, because } : base;
  return {
    considered: [
      { part, rules: rulesOnPart(gate.rules, tool.name, { part: whole, command }) },
      ...(await considerDenials(gate, [], command)),
    ],
    confinement: {
      writes: 'workspace',
      network: mode === 'bypassPermissions' || notesOn(gate, command).network === true,
      writable: notesOn(gate, command).writable ?? [],
      readable: [],
    },
  };
}

const NOTHING_KNOWN: Omit<ShellPart, 'text' | 'beyondRules'> = {
  words: [],
  effect: 'acts',
  because: 'what it does cannot be told without running it',
  beyondPrefix: null,
  reads: [],
  writes: [],
  needsNetwork: false,
  runsProjectCode: false,
  gitFolder: null,
};

async function considerPart(gate: Gate, tool: Tool, at: CommandPart, places: PlacesOfPart): Promise<Considered[]> {
  const base = basePart(gate, at.part);
  const rules = [...rulesOnPart(gate.rules, tool.name, at), ...networkRefusals(gate, at)];
  // The files that it writes decide.
  if (isRedirection(at.part) && base.decision !== 'deny') return places.considered.map((one) => withRules(one, rules));
  const isUnknown = base.cause === 'reads' && gate.options.mode !== 'bypassPermissions';
  const part = isUnknown && places.unknown !== null ? unknownPlaces(base, places.unknown) : base;
  const obstacle = await obstacleTo(gate, at.part, { part, rules, hasUnknown: places.unknown !== null });
  const own = obstacle === null ? { part, rules } : { part: asking(part, obstacle), rules: rules.filter(refuses) };
  return [own, ...places.considered];
}

function asking(part: DecisionPart, because: string): DecisionPart {
  return { ...part, decision: 'ask', cause: 'runs', because };
}

function refuses({ behavior }: PermissionRule): boolean {
  return behavior !== 'allow';
}

/** A rule that is the whole command covers what it writes in the workspace too. */
function withRules({ part, rules }: Considered, ofCommand: readonly PermissionRule[]): Considered {
  const isBeyond = part.cause === 'outside';
  return { part, rules: [...rules, ...ofCommand.filter((rule) => refuses(rule) || !isBeyond)] };
}

function basePart({ options: { mode } }: Gate, part: ShellPart): DecisionPart {
  const { text } = part;
  if (isReading(part)) return { text, decision: 'allow', cause: 'reads', because: part.because };
  if (mode === 'plan') {
    const because = 'plan mode only reads; describe the change instead, and the person can leave plan mode';
    return { text, decision: 'deny', cause: 'mode', because };
  }
  if (mode === 'bypassPermissions') return { text, decision: 'allow', cause: 'mode', because: 'permissions are bypassed' };
  const makesFiles = part.effect === 'files' && part.beyondRules === null && part.writes.length > 0;
  const isKnown = [...part.reads, ...part.writes].every(({ path }) => path !== null);
  if (mode === 'acceptEdits' && makesFiles && isKnown)
    return { text, decision: 'allow', cause: 'mode', because: 'edits in the workspace are accepted' };
  return { text, decision: 'ask', cause: causeOf(part), because: part.beyondRules ?? part.because };
}

function causeOf(part: ShellPart): DecisionCause {
  if (part.beyondRules !== null) return 'unclear';
  if (part.needsNetwork) return 'network';
  return part.effect === 'files' ? 'writes' : 'runs';
}

function unknownPlaces(part: DecisionPart, because: string): DecisionPart {
  return { ...part, decision: 'ask', cause: 'reads', because };
}

function networkRefusals(gate: Gate, at: CommandPart): PermissionRule[] {
  return at.part.needsNetwork ? rulesOnPart(gate.rules, 'Network', at).filter(refuses) : [];
}

function mayReachNetwork(gate: Gate, ats: readonly CommandPart[], isReadOnly: boolean): boolean {
  const rules = ats.flatMap((at) => rulesOnPart(gate.rules, 'Network', at));
  if (rules.some(({ behavior }) => behavior === 'deny')) return false;
  if (gate.options.mode === 'bypassPermissions' && !isReadOnly) return true;
  const isNoted = notesOn(gate, ats[0]?.command ?? '').network === true;
  return isNoted || ats.some(({ part }) => part.needsNetwork) || rules.some(({ behavior }) => behavior === 'allow');
}

/** Where one part gets the network all of the command has it: each other part that could use it needs a right of its own. */
function sharers(gate: Gate, ats: readonly CommandPart[]): Considered[] {
  if (gate.options.mode === 'bypassPermissions' || ats.length < 2) return [];
  // Who wrote all of the command as one rule knew what stands beside what.
  const knowing = gate.rules.flatMap(({ rule }) =>
    rule.behavior === 'allow' && rule.tool === 'Bash' && rule.specifier?.trim() === ats[0]?.command.trim() ? [rule] : [],
  );
  const sharing = ats.filter(({ part }) => part.effect === 'acts' && !part.needsNetwork && !isRedirection(part));
  return sharing.map((at): Considered => {
    const because = 'it would have the network that another part of the command needs';
    return {
      part: { text: at.part.text, decision: 'ask', cause: 'network', because },
      rules: [...rulesOnPart(gate.rules, 'Network', at), ...knowing],
    };
  });
}

/** What the sandbox kept the very same command from. Plan mode grants nothing of it. */
function notesOn({ options, denials }: Gate, command: string): SandboxDenial {
  return options.mode === 'plan' ? {} : denials.of(command);
}

/** What a command was kept from is asked about, and then granted. */
async function considerDenials(gate: Gate, ats: readonly CommandPart[], command: string): Promise<Considered[]> {
  const { network = false, writable = [] } = notesOn(gate, command);
  const guarding = await guardOf(gate);
  // That it tried is what its own output says: a person decides, in every mode.
  const places = writable.map((path): Considered => {
    const guard = guarding(path) ?? secretOf(gate, path);
    const because = guard ?? 'it says that it could not write there; yes lets this run change all that is there and below';
    return {
      part: { text: `write ${path}`, decision: 'ask', cause: guard === null ? 'outside' : 'protected', because },
      rules: [],
    };
  });
  if (!network || gate.options.mode === 'bypassPermissions') return places;
  const because = 'it tried to reach the network, which commands do not have here; yes lets this run have it';
  const rules = ats.flatMap((at) => rulesOnPart(gate.rules, 'Network', at));
  return [{ part: { text: 'network', decision: 'ask', cause: 'network', because }, rules }, ...places];
}
