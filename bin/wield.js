#!/usr/bin/env node
// Plain JavaScript that any Node can read, so that an old one gets a sentence instead of a syntax error.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `wield needs Node.js 22.19 or newer; this is ${process.version}. Install a newer Node.js and try again.\n`,
  );
  process.exitCode = 2;
} else {
  await import('../dist/command/wield.js');
}
