import { realpath } from 'node:fs/promises';
import { discoverServers, type LocalPlace, type LocalServer } from '../providers/discover.ts';
import { type ListedModel, modelsOf } from '../providers/model-facts.ts';
import { type Vendor, VENDORS, type WireFormat } from '../providers/vendors.ts';
import { vendorByKey } from './name-model.ts';
import { type OwnProvider, ownProviders } from './own-providers.ts';
import { readSettings, type SettingsLayer } from './settings.ts';
import { openTrustStore } from './trust-survey.ts';
import { userFolders } from './user-folders.ts';
import { keyOf, placeOf } from './vendor-environment.ts';

/** A vendor as it stands here. Keys are named, never shown. */
export interface VendorSurvey {
  readonly id: string;
  readonly name: string;
  readonly keyVariables: readonly string[];
  /** The variable whose key would be used; null where none is set. */
  readonly keySet: string | null;
  readonly isLocal: boolean;
  readonly models: readonly ListedModel[];
  readonly docs: string;
}

export interface OwnProviderSurvey {
  readonly id: string;
  readonly format: WireFormat;
  /** Without a password that may stand in it. */
  readonly baseUrl: string;
  readonly keyVariable: string | null;
  readonly isKeySet: boolean;
  readonly models: readonly string[];
}

/** What can be chosen here. */
export interface ModelSurvey {
  /** What would be used where nothing is asked for, and why. */
  readonly default: { readonly model: string; readonly because: string };
  readonly vendors: readonly VendorSurvey[];
  readonly own: readonly OwnProviderSurvey[];
  readonly local: readonly LocalServer[];
}

/** Looks at keys, settings and the model servers of this machine. Errors: AgentError `config_unreadable`, `misuse`. */
export async function surveyModels(cwd: string, environment: NodeJS.ProcessEnv): Promise<ModelSurvey> {
  const layers = await settingsOf(cwd, environment);
  return {
    default: defaultOf(layers, environment),
    vendors: VENDORS.map((vendor) => vendorSurvey(vendor, environment)),
    own: [...ownProviders(layers).values()].map((provider) => ownSurvey(provider, environment)),
    local: await discoverServers(VENDORS.flatMap((vendor) => localPlace(vendor, environment))),
  };
}

async function settingsOf(cwd: string, environment: NodeJS.ProcessEnv): Promise<readonly SettingsLayer[]> {
  const folders = userFolders(environment);
  const workspace = await realpath(cwd);
  const state = await openTrustStore(folders).check(workspace);
  return readSettings(workspace, folders, state === 'trusted');
}

function defaultOf(layers: readonly SettingsLayer[], environment: NodeJS.ProcessEnv): ModelSurvey['default'] {
  const layer = layers.find(({ settings }) => settings.model !== undefined);
  if (layer?.settings.model !== undefined) return { model: layer.settings.model, because: `${layer.origin} says so` };
  const byKey = vendorByKey(environment);
  if (byKey === null) return { model: 'demo', because: 'no key was found' };
  return { model: `${byKey.vendor.id}/${byKey.model}`, because: `${byKey.variable} is set` };
}

function vendorSurvey(vendor: Vendor, environment: NodeJS.ProcessEnv): VendorSurvey {
  const { id, name, keyVariables, docs, local } = vendor;
  const keySet = keyOf(vendor, environment)?.variable ?? null;
  return { id, name, keyVariables, keySet, isLocal: local !== undefined, models: modelsOf(id), docs };
}

function ownSurvey({ id, format, baseUrl, apiKeyEnv, models }: OwnProvider, environment: NodeJS.ProcessEnv): OwnProviderSurvey {
  const isKeySet = apiKeyEnv !== null && keyOf({ keyVariables: [apiKeyEnv] }, environment) !== null;
  return { id, format, baseUrl: withoutPassword(baseUrl), keyVariable: apiKeyEnv, isKeySet, models: [...models.keys()] };
}

function localPlace(vendor: Vendor, environment: NodeJS.ProcessEnv): LocalPlace[] {
  if (vendor.local === undefined) return [];
  return [{ vendor: vendor.id, baseUrl: placeOf(vendor, '', environment).baseUrl, lists: vendor.local.lists }];
}

function withoutPassword(baseUrl: string): string {
  const url = new URL(baseUrl);
  url.username = '';
  url.password = '';
  return url.href;
}
