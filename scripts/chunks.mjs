// Which modules of the browser's application travel together. Left to themselves they make more than a hundred files
// for one list, most of them tiny; a file for each part that is always wanted whole makes a handful.
import { join } from 'node:path';
import { root } from './build-stale.mjs';

/** The application's entry: loaded before sign-in. */
const first = ['src/main.tsx'];
/** The frame of every screen after sign-in. */
export const frameParts = ['src/app/admin/AdminApp.tsx', 'custom-screens/screens.ts'];
/** What a list needs in addition. */
export const listParts = ['src/app/list/ListScreen.tsx', 'src/app/list/grid/GridView.tsx'];
/** What a form needs as a page, and in addition as a dialog. */
const formParts = ['src/app/form/ResourceForm.tsx'];
const dialogParts = ['src/app/form/ResourceFormDialog.tsx', 'src/app/form/DialogRoute.tsx'];
/** What visitors see without signing in: everything that this module loads. */
const openScreens = 'custom-screens/public.ts';
/** Files of other screens that are smaller than this, in bytes, go along with the one that is used most alike. */
const small = 20_000;

/** The option `output.codeSplitting` of rolldown. Libraries have files of their own: they change seldom, and stay in the browser's cache. */
export function codeSplitting() {
  const parts = partsOf((info) => [
    ['first', first.map(moduleOf)],
    ['open', info(moduleOf(openScreens))?.dynamicallyImportedIds ?? []],
    ['frame', frameParts.map(moduleOf)],
    ['list', listParts.map(moduleOf)],
    ['form', formParts.map(moduleOf)],
    ['dialog', dialogParts.map(moduleOf)],
  ]);
  return {
    groups: [
      { name: 'first', tags: ['$initial'] },
      ...['open', 'visitors', 'frame', 'list', 'form', 'dialog'].flatMap((part) => [
        { debugName: `${part}-libraries`, name: parts(part, true) },
        { debugName: part, name: parts(part, false) },
      ]),
      { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: small },
    ].map((group, index, { length }) => ({ ...group, priority: length - index })),
  };
}

// `react-admin` exports the hooks that every screen uses and the components of its own screens. Through the former, the
// frame would carry each of the latter that any rarely opened screen uses, with the parts of MUI behind it.
const isStockComponent = (id) => /\/node_modules\/ra-(ui-materialui|i18n-polyglot|language-english)\//.test(id);

// Modules go by their path, with slashes on every system.
const moduleOf = (file) => join(root, file).replaceAll('\\', '/');

// Returns a function that names the chunk of a module: those that a part imports and none before it, split into
// libraries and the rest. What is only imported dynamically keeps its own file.
function partsOf(entriesOf) {
  let found;
  const find = (info) => {
    const taken = new Set();
    const reach = (id) => {
      if (taken.has(id) || isStockComponent(id)) return [];
      taken.add(id);
      return [id, ...(info(id)?.importedIds ?? []).flatMap(reach)];
    };
    const entries = entriesOf(info);
    const found = new Map(entries.map(([part, modules]) => [part, new Set(modules.flatMap(reach))]));
    // What no other part imports would only delay those that do import the rest.
    taken.clear();
    const elsewhere = new Set(entries.flatMap(([part, modules]) => (part === 'open' ? [] : modules)).flatMap(reach));
    found.set('visitors', new Set([...found.get('open')].filter((id) => !elsewhere.has(id))));
    found.set('open', new Set([...found.get('open')].filter((id) => elsewhere.has(id))));
    return found;
  };
  return (part, libraries) => (id, context) => {
    const info = (module) => context.getModuleInfo(module);
    found ??= find(info);
    const isOf = found.get(part).has(id) && id.includes('/node_modules/') === libraries;
    const { importers = [], dynamicImporters = [] } = info(id) ?? {};
    if (!isOf || (dynamicImporters.length > 0 && importers.length === 0)) return null;
    return libraries ? `${part}-libraries` : part;
  };
}
