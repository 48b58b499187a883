import { compose, type ComposeRequest, type Session } from '../app/compose.ts';
import { AgentError } from '../core/errors.ts';
import type { Say } from '../ui/words/say.ts';
import type { ChatSession } from '../ui/chat/session-port.ts';
import type { ChatFlags } from './args/flags.ts';
import { newSessionOf } from './chat-choice.ts';
import { closeAll } from './close-sessions.ts';
import { chosenSay } from './language.ts';
import { composeRequest } from './compose-request.ts';

/** Opens a session for the terminal. Errors: AgentError. */
export function openChatSession(flags: ChatFlags, version: string): Promise<ChatSession> {
  return open(flags, composeRequest(flags, { canAsk: true, firstPrompt: null }), version);
}

async function open(flags: ChatFlags, request: ComposeRequest, version: string): Promise<ChatSession> {
  const main = await compose(request);
  const opened: Session[] = [main];
  const say = await chosenSay(main.preferences, request.environment);
  const { agent, model, cwd, mode, sandbox, toolNames } = main;
  const latest = (): Session => opened.at(-1) ?? main;
  const replaced = async (next: ComposeRequest): Promise<ChatSession> => {
    await closeAll(opened);
    return open(flags, next, version);
  };
  let hasRun = request.continueLast || request.resumeId !== null;
  return {
    id: agent.sessionId,
    facts: {
      model: model.model,
      mode,
      sandbox,
      cwd,
      contextTokens: model.facts.contextTokens,
      seesImages: model.provider.seesImages,
    },
    welcome: welcomeOf(main, version, say),
    toolNames,
    agentFor: async (text) => {
      hasRun = true;
      if (!model.wantsTour(text)) return { agent, notices: [] };
      // The tour has a workspace of its own.
      const tour = await compose(composeRequest(newSessionOf(flags), { canAsk: true, firstPrompt: text }));
      opened.push(tour);
      return { agent: tour.agent, notices: tour.notices };
    },
    undo: (verb) => latest().undo(verb),
    turns: () => latest().turns(),
    rewind: (choice) => latest().rewind(choice),
    diff: (choice) => latest().diff(choice),
    runCommand: main.runCommand,
    preferences: main.preferences,
    say,
    prompts: main.prompts,
    canInit: !model.isDemo,
    ...(main.serverLines === null ? {} : { servers: main.serverLines }),
    compact: (signal) => latest().agent.compact(signal),
    permissions: () => permissionLines(flags, latest()),
    sessions: async () => (await import('./resume-choice.ts')).sessionChoices(cwd),
    resume: async (meant) => {
      const { idOfSession } = await import('./resume-choice.ts');
      const resumeId = await idOfSession(meant, cwd);
      if (resumeId === agent.sessionId) throw misuse(`The session ${resumeId} is this one.`, '/resume lists the others.');
      // Opened before this one is closed: where it cannot be, this one stays.
      const next = await open(flags, { ...request, ...NEW, resumeId }, version);
      await closeAll(opened);
      return next;
    },
    export: async (file) => (await import('./export.ts')).exportOpenSession(latest().agent.sessionId, file, latest().cwd),
    models: async () => {
      const { surveyModels } = await import('../app/survey-models.ts');
      const { vendors, local, own } = await surveyModels(cwd, request.environment);
      return [
        'demo',
        ...vendors
          .filter(({ keySet }) => keySet !== null)
          .flatMap(({ id, models }) => models.map(({ model: name }) => `${id}/${name}`)),
        ...own.flatMap(({ id, models }) => models.map((name) => `${id}/${name}`)),
        ...local.flatMap(({ vendor, models }) => models.map((name) => `${vendor}/${name}`)),
      ];
    },
    switchModel: async (name) => {
      await assertModel(name, request);
      return replaced({ ...request, ...NEW, model: name, resumeId: hasRun ? agent.sessionId : null });
    },
    startAnew: () => replaced({ ...request, ...NEW, resumeId: null }),
    close: () => closeAll(opened),
  };
}

// What was asked of the first session is not asked of the next.
const NEW = { continueLast: false, sessionId: null, forkSession: false } as const;

/** The gate of a session as it is now, with what was allowed in it. */
async function permissionLines(flags: ChatFlags, { agent, cwd, mode }: Session): Promise<readonly string[]> {
  const [{ sessionGateText }, { userFolders }] = await Promise.all([
    import('./session-gate.ts'),
    import('../app/user-folders.ts'),
  ]);
  return sessionGateText(flags, { id: agent.sessionId, cwd, mode, folders: userFolders(process.env) });
}

function misuse(message: string, remedy: string): AgentError {
  return new AgentError({ code: 'misuse', message, remedy });
}

/** Tells what is wrong with a name while the session is still open. */
async function assertModel(name: string, { cwd, environment }: ComposeRequest): Promise<void> {
  const { findModel } = await import('../app/find-model.ts');
  await findModel(name, cwd, environment);
}

function welcomeOf({ model, cwd, notices, sandbox, mode }: Session, version: string, say: Say): string[] {
  const who = model.isDemo ? say('welcome_demo') : `${model.model}   ${model.because}`;
  const confined = say(sandbox === 'none' ? 'not_confined' : 'confined');
  return [
    `wield ${version} · ${cwd}`,
    say('welcome_model', { who }),
    ...(model.isDemo ? [say('welcome_key')] : []),
    say('welcome_rules', { rules: say(`rules_${mode}`), confined }),
    ...notices,
    ...(model.isDemo ? [say('welcome_try')] : []),
  ];
}
