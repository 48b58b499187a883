import { type ModelSurvey, type OwnProviderSurvey, surveyModels, type VendorSurvey } from '../app/survey-models.ts';
import { displayJson, displayLine } from '../core/display-text.ts';
import { workingFolder } from './working-folder.ts';
import { writeOut } from './write-out.ts';

/** `wield models`: what can be chosen here, and how. */
export async function listModels({ json }: { json?: boolean }): Promise<number> {
  const survey = await surveyModels(workingFolder(), process.env);
  await writeOut(json === true ? `${displayJson(survey, 2)}\n` : `${linesOf(survey).join('\n')}\n`);
  return 0;
}

const FIRST_STEP = [
  'No model is set up yet: set one of the variables above, as in export ANTHROPIC_API_KEY=…, or start a server on this machine.',
];

const GUIDE = [
  'Choose with --model VENDOR/NAME, or with "model" in settings.json; a name that is not listed works too.',
  'Prices are US dollars for a million tokens in and out, read from public pages and unverified.',
  'docs/providers.md says how to add a server of your own.',
];

function linesOf({ default: usual, vendors, own, local }: ModelSurvey): string[] {
  return [
    displayLine(`Without --model: ${usual.model}, because ${usual.because}.`, 300),
    '',
    'Vendors, in the order in which keys are looked for:',
    ...vendors.filter(({ isLocal }) => !isLocal).flatMap(vendorLines),
    '',
    'Servers on this machine:',
    ...(local.length === 0 ? [`  none answers (${namesOf(vendors)})`] : local.flatMap(serverLines)),
    '',
    'Your own, from settings.json:',
    ...(own.length === 0 ? ['  none'] : own.flatMap(ownLines)),
    '',
    ...(usual.model === 'demo' && local.length + own.length === 0 ? FIRST_STEP : []),
    ...GUIDE,
  ];
}

function vendorLines({ id, keyVariables, keySet, models }: VendorSurvey): string[] {
  const key = keySet === null ? `${keyVariables.join(' or ')} is not set` : `${keySet} is set`;
  const facts = models.map(({ model, contextTokens, price }) =>
    `    ${model.padEnd(24)} ${contextOf(contextTokens).padEnd(8)} ${price === null ? '' : `$${price.input} / $${price.output}`}`.trimEnd(),
  );
  return [`  ${id.padEnd(12)} ${key}`, ...facts];
}

function serverLines({ vendor, baseUrl, models }: ModelSurvey['local'][number]): string[] {
  return [displayLine(`${vendor} ${baseUrl}`, 200), ...nameLines(models)].map((line) => `  ${line}`);
}

function ownLines({ id, format, baseUrl, keyVariable, isKeySet, models }: OwnProviderSurvey): string[] {
  const key = keyVariable === null ? 'no key' : `${keyVariable} is ${isKeySet ? '' : 'not '}set`;
  return [displayLine(`${id} ${baseUrl} (${format}, ${key})`, 300), ...nameLines(models)].map((line) => `  ${line}`);
}

/** Names come from servers and files, so they are shown as text and nothing else. */
function nameLines(models: readonly string[]): string[] {
  return models.length === 0 ? ['  no models listed'] : models.map((model) => `  ${displayLine(model)}`);
}

function namesOf(vendors: readonly VendorSurvey[]): string {
  return vendors
    .filter(({ isLocal }) => isLocal)
    .map(({ name }) => name)
    .join(', ');
}

function contextOf(tokens: number | null): string {
  if (tokens === null) return '';
  return tokens >= 1_000_000 ? `${Math.round(tokens / 10_000) / 100}M` : `${Math.round(tokens / 1000)}k`;
}
