/** What a bundle of a few names comes to, with all that they need, minified and compressed. */
const bundle = (name, path, names, limit) => ({
  name,
  path: `dist/${path}.js`,
  import: names === '*' ? names : `{ ${names} }`,
  limit,
  modifyEsbuildConfig: (config) => ({
    ...config,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    // It finds its own binary beside itself.
    external: ['@vscode/ripgrep'],
  }),
});

export default [
  bundle('a tool', 'index', 'defineTool, succeed, fail', '10 kB'),
  bundle('tools for another loop', 'adapters/index', 'toAISDKTools', '1 kB'),
  bundle('an agent on memory', 'index', 'createAgent, createMemoryBackend', '330 kB'),
  bundle('everything', 'index', '*', '430 kB'),
];
