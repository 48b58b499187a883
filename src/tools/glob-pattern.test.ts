import { expect, test } from 'vitest';
import { globTarget } from './glob-pattern.ts';

test.each([
  ['/w', '*.ts', { root: '/w', pattern: '*.ts', below: '' }],
  ['/w', './src/*.ts', { root: '/w', pattern: 'src/*.ts', below: 'src' }],
  ['/w', 'src/a/b.ts', { root: '/w', pattern: 'src/a/b.ts', below: 'src/a' }],
  ['/w', 'src//./x/../*.ts', { root: '/w', pattern: 'src/*.ts', below: 'src' }],
  ['/w', '/w/src/*.ts', { root: '/w', pattern: 'src/*.ts', below: 'src' }],
  ['/w', '/w-other/*.ts', { root: '/w-other', pattern: '*.ts', below: '' }],
  ['/w', '/etc/x/[ab]/*.conf', { root: '/etc/x', pattern: '[ab]/*.conf', below: '' }],
  ['/w', '/etc/hosts', { root: '/etc', pattern: 'hosts', below: '' }],
  ['/w/a', '../b/*.ts', { root: '/w/b', pattern: '*.ts', below: '' }],
  ['/', 'etc/*', { root: '/', pattern: 'etc/*', below: 'etc' }],
  ['/', '/etc/*', { root: '/', pattern: 'etc/*', below: 'etc' }],
])('below %s the pattern %s', (root, pattern, expected) => {
  expect(globTarget(root, pattern)).toEqual(expected);
});
