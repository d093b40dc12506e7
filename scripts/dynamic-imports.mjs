// A check of the build. esbuild gives a CommonJS library that is imported dynamically a chunk of its own,
// and that chunk has one export: `default`. The compiler and tests that run from the sources see all the
// names of the library, so `const {parse} = await import('yaml')` passes them, and fails when shipped.
// The rule that leaves no such case: import the library statically, in a file of ours, and that file dynamically.

/**
 * Dynamic imports of CommonJS files, each as `importer → imported`.
 * @param {import('esbuild').Metafile} metafile
 * @returns {string[]}
 */
export function dynamicImportsOfCommonJs({inputs}) {
  return Object.entries(inputs).flatMap(([importer, {imports}]) =>
    imports
      .filter(({kind, path}) => kind === 'dynamic-import' && inputs[path]?.format === 'cjs')
      .map(({path}) => `${importer} → ${path}`),
  );
}
