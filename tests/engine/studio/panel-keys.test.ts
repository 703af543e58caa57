import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fieldTypeNames } from '../../../src/engine/definitions/definition';
import { fieldKeyOptions } from '../../../src/engine/studio/type-keys';
import fieldSchema from '../../../schemas/field.schema.json';

/** Keys of the language that no panel offers, and why. */
const withoutPanel: Readonly<Record<string, string>> = {
  '/$schema': 'for editors of files',
  '/name': 'a module is named when it is made; its table, address and permissions have this name',
  '/was': 'said by renaming, in a file',
  '/envelope': 'the shape of answers, for programs that were written for it',
  '/hooks': 'names code of the product',
  '/rows': 'names a file of the product',
  '/system': 'only for definitions that come with the program',
  '/import/files': 'names kinds of files that code of the product reads',
  '/list/actions/*/name': 'given by the studio; the menus of cards and boards refer to it',
  '/when/*/do/*/notify/roleNames': 'roles by their keys replace it',
};

/** The keys that each panel offers, `*` for an entry; those of fields are those of `fieldKeyOptions`. */
const panels: Readonly<Record<string, readonly string[]>> = {
  'parts/ModulePanel': [
    ...['/labels', '/labels/one', '/labels/many', '/description', '/scope', '/recordTitle', '/choices'],
    ...['/choices/detail', '/choices/always', '/menu', '/menu/group', '/menu/order', '/menu/icon', '/history'],
    ...['/archive', '/archive/confirmRestore', '/archive/cascade'],
    ...['/comments', '/comments/write', '/comments/form', '/comments/watchers'],
    ...['/timer', '/timer/of', '/timer/start', '/timer/end'],
  ],
  'parts/ChipInputs': ['/chip', '/chip/shape', '/chip/tones', '/chip/marks'],
  'parts/TextsPanel': [
    ...['/titles', '/titles/list', '/titles/create', '/titles/edit', '/titles/copy', '/titles/view', '/titles/add'],
    ...['/toasts', '/toasts/created', '/toasts/updated', '/toasts/deleted', '/toasts/restored', '/toasts/copied'],
    ...['/delete', '/delete/confirm', '/delete/when', '/delete/when/*/if', '/delete/when/*/confirm', '/delete/keep'],
  ],
  'parts/Parameters': [
    ...['/parameters', '/parameters/*/label', '/parameters/*/kind', '/parameters/*/field', '/parameters/*/where'],
    ...['/parameters/*/to', '/parameters/*/named', '/parameters/*/export'],
  ],
  'fields/FieldsPane': ['/fields'],
  'properties/panels': ['/list'],
  'parts/Columns': [
    ...['/list/columns', '/list/columns/*/field', '/list/columns/*/label', '/list/columns/*/visible'],
    ...['/list/columns/*/fixed', '/list/columns/*/width'],
  ],
  'parts/ColumnLines': [
    ...['/list/columns/*/below', '/list/columns/*/parts', '/list/columns/*/parts/*/field'],
    ...['/list/columns/*/parts/*/tone', '/list/columns/*/parts/*/icon', '/list/columns/*/parts/*/rest'],
  ],
  'parts/ListPanel': [
    ...[
      '/list/rowClick',
      '/list/sortChoices',
      '/list/views',
      '/list/tree',
      '/list/actionsWidth',
      '/list/chooseColumns',
    ],
    ...['/list/search', '/list/bulkEdit', '/list/inlineEdit', '/list/bulkDelete', '/list/empty', '/list/emptyActions'],
  ],
  'parts/Sort': ['/list/sort'],
  'parts/Grouping': ['/list/group', '/list/group/by', '/list/group/fields', '/list/totals'],
  'parts/Highlight': [
    ...['/list/highlight', '/list/highlight/when', '/list/highlight/tone', '/list/highlight/label'],
    ...['/list/highlight/*/when', '/list/highlight/*/tone', '/list/highlight/*/label'],
  ],
  'parts/FiltersPanel': [
    ...['/list/filters', '/list/filters/*/field', '/list/filters/*/label', '/list/filters/*/many'],
    ...['/list/filters/*/range', '/list/filters/*/allLabel', '/list/filters/*/choices'],
  ],
  'parts/CardPanel': [
    ...[
      '/list/card',
      '/list/card/title',
      '/list/card/subtitle',
      '/list/card/key',
      '/list/card/mark',
      '/list/card/marks',
    ],
    ...['/list/card/person', '/list/card/lines', '/list/card/counts', '/list/card/counts/*/field'],
    ...['/list/card/counts/*/action', '/list/card/counts/*/one', '/list/card/counts/*/many', '/list/card/menu'],
  ],
  'parts/CardLines': [
    ...['/list/card/lines/*/field', '/list/card/lines/*/icon', '/list/kanban/lines/*/field'],
    '/list/kanban/lines/*/icon',
  ],
  'parts/BoardPanel': [
    ...['/list/kanban', '/list/kanban/label', '/list/kanban/column', '/list/kanban/request', '/list/kanban/field'],
    ...['/list/kanban/sum', '/list/kanban/lines', '/list/kanban/priority', '/list/kanban/person'],
    ...['/list/kanban/due', '/list/kanban/late', '/list/kanban/counts', '/list/kanban/menu'],
  ],
  'parts/ViewsPanel': [
    ...['/list/calendar', '/list/calendar/label', '/list/calendar/start', '/list/calendar/end'],
    ...['/list/calendar/title', '/list/calendar/colour', '/list/calendar/person', '/list/calendar/done'],
    ...['/list/timeline', '/list/timeline/label', '/list/timeline/start', '/list/timeline/end'],
    ...['/list/timeline/title', '/list/timeline/colour', '/list/timeline/group', '/list/timeline/done'],
    ...['/list/gallery', '/list/gallery/label', '/list/gallery/image', '/list/gallery/title'],
    ...['/list/gallery/fields', '/list/gallery/menu'],
  ],
  'parts/TabsPanel': [
    ...['/list/tabs', '/list/tabs/*/name', '/list/tabs/*/label', '/list/tabs/*/filter', '/list/tabs/*/export'],
    '/list/tabs/*/linkOnly',
    ...['/list/saved', '/list/saved/*/name', '/list/saved/*/label', '/list/saved/*/filter', '/list/saved/*/sort'],
    ...['/list/saved/*/columns', '/list/saved/*/view', '/list/saved/*/tab', '/list/saved/*/group'],
  ],
  'parts/ChartsPanel': [
    ...['/list/charts', '/list/charts/*/name', '/list/charts/*/label', '/list/charts/*/kind', '/list/charts/*/group'],
    ...['/list/charts/*/step', '/list/charts/*/by', '/list/charts/*/sum', '/list/charts/*/avg'],
    '/list/charts/*/where',
  ],
  'parts/requests/RowActions': [
    ...['/list/actions', '/list/actions/*/label', '/list/actions/*/icon', '/list/actions/*/visible'],
    ...['/list/actions/*/visibleOnRecord', '/list/actions/*/calls', '/list/actions/*/goTo', '/list/actions/*/screen'],
    ...['/list/actions/*/goTo/resource', '/list/actions/*/goTo/filter', '/list/actions/*/opens'],
    ...['/list/actions/*/opens/resource', '/list/actions/*/opens/values', '/list/actions/*/opens/initial'],
  ],
  'parts/requests/CallInputs': [
    ...['/list/actions/*/calls/path', '/list/actions/*/calls/body', '/list/actions/*/calls/needs'],
    '/list/actions/*/calls/many',
    ...['/list/actions/*/calls/confirm', '/list/actions/*/calls/toast', '/list/actions/*/calls/shows'],
    ...['/list/actions/*/calls/shows/title', '/list/actions/*/calls/shows/text'],
    ...['/list/actions/*/calls/shows/html', '/list/actions/*/calls/shows/secret'],
    '/list/actions/*/calls/afterCreate',
  ],
  'parts/audience': [
    ...['/list/actions/*/levels', '/list/actions/*/roles', '/requests/*/levels', '/requests/*/roles'],
    ...['/rules/*/levels', '/rules/*/roles', '/when/*/do/*/notify/levels', '/when/*/do/*/notify/roles'],
  ],
  'parts/FormPanel': [
    ...['/form', '/form/dialog', '/form/dialog/width', '/form/dialog/side', '/form/popup', '/form/popup/width'],
    ...['/form/tabs', '/form/tabs/*/name', '/form/tabs/*/label', '/form/tabs/*/list', '/form/tabs/*/query'],
    ...['/form/tabs/*/values', '/form/tabs/*/visible', '/form/redirects', '/form/redirects/*/after'],
    ...['/form/redirects/*/when', '/form/redirects/*/to'],
  ],
  'parts/Sections': [
    '/form/sections',
    '/form/sections/*/label',
    '/form/sections/*/description',
    '/form/sections/*/fields',
    '/form/sections/*/alternatives',
    '/form/sections/*/alternatives/*/label',
    '/form/sections/*/alternatives/*/fields',
  ],
  'parts/PagePanel': [
    ...['/page', '/page/chips', '/page/rail', '/page/sections', '/page/sections/*/label', '/page/sections/*/fields'],
    ...['/page/related', '/page/stream', '/page/stream/*/name', '/page/stream/*/label', '/page/stream/*/list'],
    ...['/page/stream/*/query', '/page/stream/*/at', '/page/stream/*/by', '/page/stream/*/text'],
  ],
  'parts/requests/RequestsPanel': ['/requests'],
  'parts/requests/RequestInputs': [
    ...['/requests/*/label', '/requests/*/icon', '/requests/*/title', '/requests/*/path', '/requests/*/width'],
    ...['/requests/*/toast', '/requests/*/sets', '/requests/*/asks', '/requests/*/where', '/requests/*/confirm'],
    ...['/requests/*/adds', '/requests/*/adds/resource', '/requests/*/adds/relation', '/requests/*/adds/fields'],
    ...['/requests/*/required', '/requests/*/ignored', '/requests/*/visible', '/requests/*/list'],
  ],
  'parts/requests/ListBeside': ['/requests/*/list/resource', '/requests/*/list/query'],
  'parts/ExportInputs': [
    ...['/copy', '/copy/suffix', '/copy/field', '/copy/keeps', '/copy/resets'],
    ...['/export', '/export/path', '/export/file', '/export/columns', '/export/formats'],
  ],
  'parts/NamedExports': [
    ...['/exports', '/exports/*/label', '/exports/*/format', '/exports/*/separator', '/exports/*/decimalSeparator'],
    ...['/exports/*/dateFormat', '/exports/*/encoding', '/exports/*/header', '/exports/*/file', '/exports/*/columns'],
    ...['/exports/*/columns/*/field', '/exports/*/columns/*/heading', '/exports/*/columns/*/text'],
  ],
  'parts/PublicInputs': [
    ...['/public', '/public/choices', '/public/create', '/public/create/fields', '/public/create/values'],
    ...['/public/create/title', '/public/create/text', '/public/create/confirmation', '/public/create/hourlyLimit'],
    ...['/public/create/mail', '/public/create/mail/address', '/public/create/mail/subject'],
    '/public/create/mail/text',
  ],
  'parts/PrintInputs': ['/print', '/print/template', '/print/paper'],
  'parts/ImportInputs': [
    ...['/import', '/import/order', '/import/ask', '/import/fields', '/import/match', '/import/synonyms'],
    ...['/import/values', '/import/creates', '/import/paths', '/import/steps', '/import/key', '/import/numbers'],
    '/import/splits',
    ...['/import/tools', '/import/tools/*/name', '/import/tools/*/when', '/import/tools/*/columns'],
    ...['/import/tools/*/values', '/import/tools/*/skip'],
  ],
  'parts/RulesPanel': ['/rules', '/rules/*/where', '/rules/*/fields', '/rules/*/except', '/rules/*/reason'],
  'parts/audience#actions': ['/rules/*/action'],
  'parts/Grants': ['/grants', '/grants/*'],
  'parts/DataPanel': [
    ...['/indexes', '/validate', '/validate/*/must', '/validate/*/when', '/validate/*/at', '/validate/*/message'],
    ...['/unique', '/unique/*/fields', '/unique/*/where', '/unique/*/message'],
  ],
  'parts/OverlapInputs': ['/noOverlap', '/noOverlap/fields', '/noOverlap/per', '/noOverlap/message'],
  'parts/automations/AutomationsPanel': [
    ...['/when', '/when/*/name', '/when/*/label', '/when/*/where', '/when/*/as', '/when/*/do'],
  ],
  'parts/automations/TriggerInputs': [
    ...['/when/*/on', '/when/*/changed', '/when/*/transition', '/when/*/transition/field', '/when/*/transition/to'],
    ...['/when/*/every', '/when/*/at', '/when/*/zone', '/when/*/idle'],
    ...['/when/*/dueTime', '/when/*/dueTime/field', '/when/*/dueTime/offset', '/when/*/dueTime/timeOfDay'],
    ...['/when/*/weekdays', '/when/*/day'],
  ],
  'parts/automations/StepInputs': [
    ...['/when/*/do/*/notify', '/when/*/do/*/text', '/when/*/do/*/mail', '/when/*/do/*/mail/to'],
    ...['/when/*/do/*/mail/template', '/when/*/do/*/mail/subject', '/when/*/do/*/mail/text', '/when/*/do/*/set'],
    ...['/when/*/do/*/create', '/when/*/do/*/values', '/when/*/do/*/each', '/when/*/do/*/webhook'],
  ],
};

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
}

const load = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../schemas/${name}`, import.meta.url), 'utf8')) as Schema;
/** What has an editor of its own: conditions, expressions, and fields by their types. */
const apart = new Set(['condition.schema.json', 'expression.schema.json', 'field.schema.json']);

/** The pointers of all keys that a schema names, `*` for entries and for keys that are numbers. */
function* keysOf(schema: Schema, at = ''): Generator<string> {
  if (schema.$ref && apart.has(schema.$ref)) return;
  if (schema.$ref) yield* keysOf(load(schema.$ref), at);
  for (const part of schema.allOf ?? []) if (part.$ref) yield* keysOf(part, at);
  for (const [key, value] of Object.entries(schema.properties ?? {})) {
    const path = `${at}/${/^\d+$/.test(key) ? '*' : key}`;
    yield path;
    yield* keysOf(value, path);
  }
  if (schema.items) yield* keysOf(schema.items, `${at}/*`);
  if (typeof schema.additionalProperties === 'object') yield* keysOf(schema.additionalProperties, `${at}/*`);
}

const isBelow = (path: string, above: string) => path === above || path.startsWith(`${above}/`);
const isExcepted = (path: string) => Object.keys(withoutPanel).some((above) => isBelow(path, above));
const wanted = [...new Set(keysOf(load('resource.schema.json')))].filter((path) => !isExcepted(path));

describe('what a definition can say', () => {
  it('is offered by a panel of the studio, or has a reason why not', () => {
    const offered = Object.values(panels).flat();
    expect(wanted.filter((path) => !offered.includes(path))).toEqual([]);
    expect(offered.filter((path) => !wanted.includes(path))).toEqual([]);
    expect(offered.toSorted()).toEqual([...new Set(offered)].toSorted());
  });

  it.each(Object.entries(panels))('%s names its keys', (panel, paths) => {
    const [file] = panel.split('#');
    const text = readFileSync(new URL(`../../../src/app/screens/studio/${file}.tsx`, import.meta.url), 'utf8');
    const code = text.replaceAll(/^import .*$/gm, '').replaceAll(/\/\*\*[\s\S]*?\*\//g, '');
    const named = (path: string) => {
      const key = path.split('/').findLast((step) => step !== '*')!;
      return new RegExp(`(/|'|\\.|[{,(] ?|Record<')${key}\\b`).test(code);
    };
    expect(paths.filter((path) => !named(path))).toEqual([]);
  });

  it('has no exception that is no key, and no panel edits it as JSON', () => {
    const all = [...keysOf(load('resource.schema.json'))];
    expect(Object.keys(withoutPanel).filter((path) => !all.includes(path))).toEqual([]);
    for (const panel of Object.keys(panels)) {
      const url = new URL(`../../../src/app/screens/studio/${panel.split('#')[0]}.tsx`, import.meta.url);
      expect([panel, readFileSync(url, 'utf8').includes('JsonProperty')]).toEqual([panel, false]);
    }
  });

  it('of a field is offered for the types that know the key', () => {
    const offered = new Set(fieldTypeNames.flatMap((type) => fieldKeyOptions(type).map(({ key }) => key as string)));
    // Only renaming says what a field was.
    expect(Object.keys(fieldSchema.properties).filter((key) => !offered.has(key))).toEqual(['was']);
  });
});
