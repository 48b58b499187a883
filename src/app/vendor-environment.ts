import { AgentError } from '../core/errors.ts';
import type { Vendor } from '../providers/vendors.ts';

/** A vendor's key, and the variable that holds it. */
export interface VendorKey {
  readonly variable: string;
  readonly value: string;
}

/** The first key of a vendor that is set; null where none is. */
export function keyOf({ keyVariables }: Pick<Vendor, 'keyVariables'>, environment: NodeJS.ProcessEnv): VendorKey | null {
  const variable = keyVariables.find((name) => valueOf(environment, name) !== null);
  return variable === undefined ? null : { variable, value: valueOf(environment, variable) ?? '' };
}

/** The model to use where none was named: `<VENDOR>_MODEL`, else the vendor's usual one, else null. */
export function usualModel(vendor: Vendor, environment: NodeJS.ProcessEnv): string | null {
  return ownVariable(vendor, 'MODEL', environment)?.value ?? vendor.defaultModel;
}

/** Where a vendor's requests go. */
export interface VendorPlace {
  readonly baseUrl: string;
  readonly query: Readonly<Record<string, string>>;
  /** It was moved with `<VENDOR>_BASE_URL` to a server that is not the vendor's own. */
  readonly isElsewhere: boolean;
}

/** By `<VENDOR>_BASE_URL`, else the vendor's own URL with its `{VARIABLES}` filled in. Errors: AgentError `misuse`, `no_model`. */
export function placeOf(vendor: Vendor, model: string, environment: NodeJS.ProcessEnv): VendorPlace {
  const { version } = vendor;
  const wanted = version === undefined ? null : valueOf(environment, version.variable);
  const query: Record<string, string> = version !== undefined && wanted !== null ? { [version.parameter]: wanted } : {};
  const moved = ownVariable(vendor, 'BASE_URL', environment);
  if (moved !== null) {
    const baseUrl = checkedUrl(moved.value, moved.variable);
    return { baseUrl, query, isElsewhere: domainOf(baseUrl) !== domainOf(vendor.baseUrl) };
  }
  const isDated = wanted !== null && /^\d{4}-/.test(wanted);
  const template = isDated && version !== undefined ? version.datedBaseUrl : vendor.baseUrl;
  return { baseUrl: filled(template, vendor, model, environment), query, isElsewhere: false };
}

/** An http(s) URL as it is. Errors: AgentError `misuse`, naming where it came from. */
export function checkedUrl(url: string, origin: string): string {
  if (URL.canParse(url) && /^https?:/i.test(url)) return url;
  throw new AgentError({
    code: 'misuse',
    message: `${origin} is no URL: ${url}`,
    remedy: 'Give it as http(s)://host[:port][/path].',
  });
}

/** `<VENDOR>_BASE_URL` and its like, by the vendor's id or another word for it. */
export function ownVariables({ id, aliases }: Vendor, suffix: 'BASE_URL' | 'MODEL'): readonly string[] {
  return [id, ...aliases].map((word) => `${word.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_${suffix}`);
}

function ownVariable(vendor: Vendor, suffix: 'BASE_URL' | 'MODEL', environment: NodeJS.ProcessEnv): VendorKey | null {
  return keyOf({ keyVariables: ownVariables(vendor, suffix) }, environment);
}

function filled(template: string, { name }: Vendor, model: string, environment: NodeJS.ProcessEnv): string {
  return template.replaceAll('{model}', encodeURIComponent(model)).replaceAll(/\{([A-Z_]+)\}/g, (_, variable: string) => {
    const value = valueOf(environment, variable);
    if (value !== null) return encodeURIComponent(value);
    throw new AgentError({
      code: 'no_model',
      message: `${name} needs ${variable}, and it is not set.`,
      remedy: `Set ${variable}, or use --model demo.`,
    });
  });
}

/** The last two labels of a host. */
function domainOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.split('.').slice(-2).join('.') : '';
}

/** What an empty variable says is nothing. */
function valueOf(environment: NodeJS.ProcessEnv, name: string): string | null {
  const value = environment[name]?.trim() ?? '';
  return value === '' ? null : value;
}
