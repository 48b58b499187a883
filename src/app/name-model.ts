import { AgentError } from '../core/errors.ts';
import { type Vendor, vendorNamed, VENDORS } from '../providers/vendors.ts';
import { nearNames } from './near-names.ts';
import type { OwnProvider } from './own-providers.ts';
import { keyOf, usualModel } from './vendor-environment.ts';

/** Whose model it is, and its name there; null where only the vendor was named and it has no usual model. */
export type NamedModel =
  | { readonly type: 'vendor'; readonly vendor: Vendor; readonly model: string | null }
  | { readonly type: 'own'; readonly provider: OwnProvider; readonly model: string | null };

/** What a name can mean here. */
export interface NamingFacts {
  readonly environment: NodeJS.ProcessEnv;
  readonly own: ReadonlyMap<string, OwnProvider>;
}

/**
 * Finds whom `--model` means: `vendor/model`, a vendor alone, or a model alone by what the user's settings list and by how its
 * name begins. The user's own providers come first. Errors: AgentError `no_model`.
 */
export function nameModel(wanted: string, facts: NamingFacts): NamedModel {
  const slash = wanted.indexOf('/');
  const found =
    slash === -1
      ? (ofProvider(wanted, '', facts) ?? ofBareModel(wanted, facts))
      : ofProvider(wanted.slice(0, slash), wanted.slice(slash + 1), facts);
  if (found !== null) return found;
  throw unknown(wanted, slash === -1 ? wanted : wanted.slice(0, slash), facts);
}

/** The vendor to use where nothing was asked for: the first whose key is set and whose model is known. Null where there is none. */
export function vendorByKey(environment: NodeJS.ProcessEnv): { vendor: Vendor; model: string; variable: string } | null {
  for (const vendor of VENDORS) {
    const key = vendor.local === undefined ? keyOf(vendor, environment) : null;
    const model = usualModel(vendor, environment);
    if (key !== null && model !== null) return { vendor, model, variable: key.variable };
  }
  return null;
}

function ofProvider(word: string, model: string, { environment, own }: NamingFacts): NamedModel | null {
  const provider = own.get(word);
  if (provider !== undefined) return { type: 'own', provider, model: model === '' ? onlyModel(provider) : model };
  const vendor = vendorNamed(word);
  return vendor === null ? null : { type: 'vendor', vendor, model: model === '' ? usualModel(vendor, environment) : model };
}

function onlyModel({ models }: OwnProvider): string | null {
  const [first, ...more] = models.keys();
  return more.length === 0 ? (first ?? null) : null;
}

function ofBareModel(model: string, { environment, own }: NamingFacts): NamedModel | null {
  const provider = [...own.values()].find(({ models }) => models.has(model));
  if (provider !== undefined) return { type: 'own', provider, model };
  const name = model.toLowerCase();
  const makers = VENDORS.filter(({ modelPrefixes }) => modelPrefixes.some((prefix) => name.startsWith(prefix)));
  // Of two doors to the same models, the one that the user has a key for.
  const vendor = makers.find((maker) => keyOf(maker, environment) !== null) ?? makers[0];
  return vendor === undefined ? null : { type: 'vendor', vendor, model };
}

function unknown(wanted: string, word: string, { own }: NamingFacts): AgentError {
  const near = nearNames(word, [...own.keys(), ...VENDORS.flatMap(({ id, aliases }) => [id, ...aliases]), 'demo']);
  const guess = near.length === 0 ? '' : `Did you mean ${near.join(' or ')}? `;
  return new AgentError({
    code: 'no_model',
    message: `There is no model "${wanted}" here.`,
    remedy: `${guess}Use --model VENDOR/NAME, as in anthropic/claude-opus-5-5, or --model demo; wield models lists the vendors.`,
  });
}
