import { expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

const PRIVATE = [
  ['this machine', '127.0.0.1', '127.255.255.254', '0.0.0.0', '::1', '::', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  ['private networks', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1'],
  ['the services of a cloud', '169.254.169.254', '100.100.100.200', 'fd00:ec2::254', 'fe80::a9fe:a9fe', '168.63.129.16%eth0'],
  ['a link', '169.254.0.1', 'fe80::1', 'fe80::1%eth0'],
  [
    'shared and special networks',
    '100.64.0.1',
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '2001:db8::1',
  ],
  ['many or nobody', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255', 'ff02::1'],
  ['an IPv4 address inside', '2002:7f00:1::', '64:ff9b::7f00:1', '2001:0:7f00:1::', '::127.0.0.1'],
  ['no address', '', 'localhost', '1.2.3', '127.1', '0x7f.0.0.1', '999.1.1.1'],
];

test.each(PRIVATE)('addresses of %s are not public', (_what, ...addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([]);
});

test('all others are', () => {
  const addresses = [
    '1.1.1.1',
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ];
  expect(addresses.filter((address) => !isPublicAddress(address))).toEqual([]);
});
