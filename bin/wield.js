#!/usr/bin/env node
// Plain JavaScript that any Node can read, so that an old one gets a sentence instead of a syntax error.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `wield needs Node.js 22.19 or newer; this is ${process.version}. Install a newer Node.js and try again.\n`,
  );
  process.exitCode = 2;
} else {
  keepCompiled();
  await import('../dist/command/wield.js');
}

/**
 * V8's compiled code is kept between runs: about 20 ms of each start. What is kept is run, so it stands in the user's own cache folder,
 * never in a shared one such as /tmp. Where that cannot be written, Node goes on without.
 */
function keepCompiled() {
  const isAbsolute = (path) => path !== undefined && path.startsWith('/');
  const { XDG_CACHE_HOME: cache, HOME: home } = process.env;
  const folder = isAbsolute(cache) ? cache : isAbsolute(home) ? `${home}/.cache` : null;
  if (folder !== null) process.getBuiltinModule('node:module').enableCompileCache(`${folder}/wield/compiled`);
}
