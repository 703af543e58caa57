// Which modules of the browser's application travel together. Left to themselves they make more than a hundred files
// for one list, most of them tiny; a file for each part that is always wanted whole makes a handful.
import { join } from 'node:path';
import { root } from './build-stale.mjs';

/** The application's entry: loaded before sign-in. */
const first = ['src/main.tsx'];
/** The frame of every screen after sign-in. */
const frameParts = ['src/app/shell/AdminApp.tsx', 'custom-screens/screens.ts'];
/** The modules that a list needs in addition. */
const listParts = ['src/app/list/ListScreen.tsx', 'src/app/list/grid/GridView.tsx'];
/** The modules that a form needs as a page, and in addition as a dialog. */
const formParts = ['src/app/record/ResourceForm.tsx'];
const dialogParts = ['src/app/record/ResourceFormDialog.tsx', 'src/app/record/DialogRoute.tsx'];
/** The screens that visitors see without signing in: everything that this module loads. */
const openScreens = 'custom-screens/public.ts';
/** Files of other screens that are smaller than this, in bytes, go along with the one that is used most alike. */
const smallSize = 28_000;

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
      { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: smallSize },
    ].map((group, index, { length }) => ({ ...group, priority: length - index })),
  };
}

/** Names the files of the frame and of lists in the page, so that who is signed in asks for them beside the entry, not after it. */
export function namedParts() {
  return {
    name: 'named-parts',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const namedFiles = new Set(Object.values(bundle).flatMap((chunk) => (chunk.isEntry ? chunk.fileName : [])));
        return ['frame', 'list'].flatMap((part) => {
          const chunk = Object.values(bundle).find(({ name }) => name === part);
          if (!chunk) return [];
          const files = [chunk.fileName, ...chunk.imports].filter((file) => !namedFiles.has(file));
          files.forEach((file) => namedFiles.add(file));
          const content = files.map((file) => `/${file}`).join(' ');
          return [{ tag: 'meta', attrs: { name: part, content }, injectTo: 'head-prepend' }];
        });
      },
    },
  };
}

// `react-admin` exports the hooks that every screen uses and the components of its own screens. Through the former, the
// frame would carry each of the latter that any rarely opened screen uses, with the parts of MUI behind it.
const isStockComponent = (id) => /\/node_modules\/ra-(ui-materialui|i18n-polyglot|language-english)\//.test(id);

// The packages of the frame import MUI as a whole. Its Stack and Box lay out screens that are opened later.
const isScreenLayout = (id) => /\/node_modules\/@mui\/(material|system)\/(Box|Stack|createBox)\//.test(id);

// `react-admin` exports its controllers of single records too, which forms and pages of records use.
const controllerFolder = /\/node_modules\/ra-core\/dist\/controller\/(create|edit|show)\//;
const isRecordController = (id) => controllerFolder.test(id);
const isFormController = (id) => isRecordController(id) && !id.includes('/show/');

// Modules go by their path, with slashes on every system.
const moduleOf = (file) => join(root, file).replaceAll('\\', '/');

// The first modules of parts that are loaded whole: a file of their own would be one request more.
const wholeParts = new Set([...frameParts, ...listParts].map((file) => moduleOf(file)));

// Returns a function that names the chunk of a module: those that a part imports and none before it, split into
// libraries and the rest. Another module that is only imported dynamically keeps its own file.
function partsOf(entriesOf) {
  let cachedParts;
  const find = (info) => {
    const takenModules = new Set();
    const reach = (id) => {
      if (takenModules.has(id) || isStockComponent(id) || isScreenLayout(id) || isRecordController(id)) return [];
      takenModules.add(id);
      return [id, ...(info(id)?.importedIds ?? []).flatMap(reach)];
    };
    const entries = entriesOf(info);
    const modulesByPart = new Map(entries.map(([part, modules]) => [part, new Set(modules.flatMap(reach))]));
    // Modules that no other part imports would only delay the parts that import the rest.
    takenModules.clear();
    const otherModules = new Set(entries.flatMap(([part, modules]) => (part === 'open' ? [] : modules)).flatMap(reach));
    modulesByPart.set('visitors', new Set([...modulesByPart.get('open')].filter((id) => !otherModules.has(id))));
    modulesByPart.set('open', new Set([...modulesByPart.get('open')].filter((id) => otherModules.has(id))));
    return modulesByPart;
  };
  return (part, libraries) => (id, context) => {
    const info = (module) => context.getModuleInfo(module);
    cachedParts ??= find(info);
    const isInPart = cachedParts.get(part).has(id) || (part === 'form' && isFormController(id));
    const isOf = isInPart && id.includes('/node_modules/') === libraries;
    const { importers = [], dynamicImporters = [] } = info(id) ?? {};
    const isOwnFile = dynamicImporters.length > 0 && importers.length === 0 && !wholeParts.has(id);
    if (!isOf || isOwnFile) return null;
    return libraries ? `${part}-libraries` : part;
  };
}
