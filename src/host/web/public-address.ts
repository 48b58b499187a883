import { BlockList, isIPv4, isIPv6 } from 'node:net';

// Source: IANA IPv4 and IPv6 Special-Purpose Address Registries, https://www.iana.org/assignments/iana-ipv4-special-registry, 2026-12
const SPECIAL_IPV4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Of what is global; addresses that carry an IPv4 one inside lead to wherever that does. */
const SPECIAL_IPV6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

let lists: { readonly special: BlockList; readonly global: BlockList } | null = null;

/** True for an address that anybody on the internet can reach: none of this machine, of a private network, or of a cloud's own services. */
export function isPublicAddress(address: string): boolean {
  lists ??= { special: listOf(SPECIAL_IPV4, SPECIAL_IPV6), global: listOf([], [['2000::', 3]]) };
  if (isIPv4(address)) return !lists.special.check(address, 'ipv4');
  // A zone names a network card of this machine.
  if (!isIPv6(address) || address.includes('%')) return false;
  return lists.global.check(address, 'ipv6') && !lists.special.check(address, 'ipv6');
}

function listOf(
  ipv4: readonly (readonly [network: string, prefix: number])[],
  ipv6: readonly (readonly [network: string, prefix: number])[],
): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ipv4) list.addSubnet(network, prefix, 'ipv4');
  for (const [network, prefix] of ipv6) list.addSubnet(network, prefix, 'ipv6');
  return list;
}
