import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

/**
 * An ES import of a Node module reads every export of it, getters too, and so loads what nobody asked for: all of undici for node:http,
 * 6 to 13 ms each for fs, util, child_process, crypto. In the bundle each import asks for the names that are used and no others.
 */
export const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup(build) {
    // A module of its own for each importer: a shared one would become a file, and each file costs a start about a millisecond.
    build.onResolve({ filter: /.*/ }, ({ path, importer }) =>
      isBuiltin(path)
        ? { path: path.replace(/^(?!node:)/, 'node:'), suffix: `?${importer}`, namespace: 'builtin', sideEffects: false }
        : null,
    );
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({ contents: moduleOf(path) }));
  },
};

function moduleOf(path: string): string {
  const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter(
    (name) => /^[a-zA-Z_$][\w$]*$/.test(name) && name !== 'default',
  );
  return [
    `const builtin = /* @__PURE__ */ (() => process.getBuiltinModule(${JSON.stringify(path)}))();`,
    'export default builtin;',
    `export { builtin as 'module.exports' };`,
    ...names.map((name) => `const _${name} = /* @__PURE__ */ (() => builtin.${name})(); export { _${name} as ${name} };`),
  ].join('\n');
}
