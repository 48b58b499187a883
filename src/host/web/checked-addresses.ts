import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

/** All addresses of a host. Errors: of the system. */
export type Resolver = (host: string) => Promise<readonly LookupAddress[]>;

/** Thrown before anything is sent. */
export class PrivateAddress extends Error {
  readonly address: string;

  constructor(address: string) {
    super(`${address} is not a public address`);
    this.name = 'PrivateAddress';
    this.address = address;
  }
}

/**
 * The addresses that a connection to a host may use; one that is not allowed refuses them all.
 * Errors: PrivateAddress; of the system.
 */
export async function checkedAddresses(
  host: string,
  { resolve, isAllowed }: { readonly resolve: Resolver; readonly isAllowed: (address: string) => boolean },
): Promise<readonly LookupAddress[]> {
  const literal = host.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(literal);
  const addresses = family === 0 ? await resolve(host) : [{ address: literal, family }];
  const refused = addresses.find(({ address }) => !isAllowed(address));
  if (refused !== undefined) throw new PrivateAddress(refused.address);
  return addresses;
}

/** Connects to these and to nothing else: no name server is asked between the check and the connection. */
export function lookupOf(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses;
    if (first === undefined) callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), []);
    else if (all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

/** As this machine resolves names. */
export async function systemResolver(host: string): Promise<readonly LookupAddress[]> {
  const { lookup } = await import('node:dns/promises');
  return lookup(host, { all: true });
}
