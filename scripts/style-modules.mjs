// CSS Modules: what a sheet's classes are called in the page, and how few bytes they cost.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from './build-stale.mjs';

const sheet = /\.module\.css$/;

/** The option `css.modules` of Vite: `.save-bar` of a sheet is `styles.saveBar` in TypeScript. */
export const styleModules = { localsConvention: 'camelCaseOnly', generateScopedName: scopedName };

/**
 * Names of classes become constants, which the bundler writes where they are used. The sheet stays in its place all the
 * same: by itself Vite drops a sheet whose names are all inlined, or that is imported for its `:global` classes alone.
 * A name that no sheet has ends the build.
 */
export function keptSheets() {
  return {
    name: 'kept-sheets',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: sheet },
      handler: (code) => ({ code, map: null, moduleSideEffects: 'no-treeshake' }),
    },
    onLog(level, { code, message }) {
      if (code === 'IMPORT_IS_UNDEFINED') this.error(message);
    },
  };
}

/** For tests without a browser: elements have the classes that they have in the page, and no sheet is read as CSS. */
export function classNamesOnly() {
  const prefix = '\0class-names:';
  return {
    name: 'class-names-only',
    enforce: 'pre',
    resolveId: (source, importer) =>
      sheet.test(source) && importer ? `${prefix}${join(dirname(importer), source)}.js` : null,
    load(id) {
      if (!id.startsWith(prefix)) return null;
      const file = id.slice(prefix.length, -'.js'.length);
      return [...new Set(classesOf(file))]
        .map((name) => `export const ${toCamel(name)} = '${scopedName(name, file)}';`)
        .join('\n');
    },
  };
}

let owners;

// A class keeps its short name unless another sheet has one of that name: then its folder and sheet go before it.
function scopedName(name, file) {
  if (!owners?.has(name)) owners = findOwners();
  const isUnique = (owners.get(name)?.size ?? 0) < 2;
  return isUnique ? name : `${basename(dirname(file))}-${basename(file, '.module.css')}-${name}`;
}

/** The modules of each class. */
function findOwners() {
  const modulesByClass = new Map();
  for (const folder of ['src/app', 'custom-screens'])
    for (const path of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }))
      if (sheet.test(path))
        for (const name of classesOf(join(root, folder, path)))
          modulesByClass.set(name, (modulesByClass.get(name) ?? new Set()).add(path));
  return modulesByClass;
}

/** The module's own classes, some of them more than once: those within `:global()` are of other sheets. */
function classesOf(file) {
  const selectors = [...readFileSync(file, 'utf8').matchAll(/([^{};]+)\{/g)].map(([, selector]) =>
    selector.replace(/:global\((?:[^()]|\([^()]*\))*\)/g, ''),
  );
  return selectors.flatMap((selector) => [...selector.matchAll(/\.(-?[a-z_][\w-]*)/gi)].map(([, name]) => name));
}

function toCamel(name) {
  return name.replace(/-+(\w)/g, (_, character) => character.toUpperCase());
}
