import type { VerbGroup } from './verbs.ts';

const MODELS: VerbGroup = {
  name: 'models',
  summary: 'vendors and their keys, known models, servers on this machine',
  fill: (models, verbs, finish) =>
    void models.option('--json', 'as JSON').action((flags: { json?: boolean }) => finish(verbs.listModels(flags))),
};

const SANDBOX: VerbGroup = {
  name: 'sandbox',
  summary: 'whether commands can be confined on this machine',
  fill: (sandbox, verbs, finish) =>
    void sandbox
      .option('--verify', 'try to get out of the sandbox in every known way')
      .action((flags: { verify?: boolean }) => finish(verbs.showSandbox(flags))),
};

/** What this machine has. */
export const MACHINE_VERBS: readonly VerbGroup[] = [MODELS, SANDBOX];
