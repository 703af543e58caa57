import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fieldTypeNames } from '../../../src/engine/definitions/definition';
import { fieldKeyOptions } from '../../../src/engine/studio/type-keys';
import { partKeysAt, type KeyDescription } from '../../../src/engine/studio/part-keys';
import type { Source } from '../../../src/engine/language/source';
import fieldSchema from '../../../schemas/field.schema.json';

/** Keys of the language that no panel offers, and why. */
const withoutPanel: Readonly<Record<string, string>> = {
  '/$schema': 'for editors of files',
  '/name': 'a module is named when it is made; its table, address and permissions have this name',
  '/formerName': 'said by renaming, in a file',
  '/envelope': 'the shape of answers, for programs that were written for it',
  '/hooks': 'names code of the product',
  '/rows': 'names a file of the product',
  '/system': 'only for definitions that come with the program',
  '/import/files': 'names kinds of files that code of the product reads',
  '/list/actions/*/name': 'given by the studio; the menus of cards and boards refer to it',
  '/automations/*/steps/*/notify/roleNames': 'roles by their keys replace it',
};

/** Where panels show a form that follows from the language: all keys below that have a label there. */
const forms: Readonly<Record<string, readonly string[]>> = {
  'properties/panels': [
    ...['/labels', '/description', '/scope', '/recordTitle', '/choices', '/menu', '/chip', '/history', '/comments'],
    ...['/timer', '/archive'],
    '/titles',
    '/toasts',
    '/delete',
    ...['/list/rowClick', '/list/sort', '/list/sortChoices', '/list/group', '/list/totals', '/list/views'],
    ...['/list/tree', '/list/actionsWidth', '/list/chooseColumns', '/list/search', '/list/bulkEdit'],
    ...['/list/inlineEdit', '/list/bulkDelete', '/list/emptyText', '/list/emptyActions'],
    ...['/list/emptyPicture', '/list/emptyCommand', '/list/quickAdd'],
    '/list/filters',
    '/list/card',
    '/list/kanban',
    '/list/calendar',
    '/list/timeline',
    '/list/gallery',
    '/list/tabs',
    '/list/saved',
    '/list/charts',
    '/page',
    '/rules',
    ...[
      '/validate',
      '/import',
      '/export',
      '/exports',
      '/print',
      '/public',
      '/copy',
      '/unique',
      '/indexes',
      '/parameters',
    ],
  ],
  'parts/ColumnLines': ['/list/columns/*/parts'],
  'parts/FormPanel': ['/form/dialog', '/form/keep', '/form/popup', '/form/tabs', '/form/redirects'],
  'parts/Sections': ['/form/sections/*/rail', '/form/sections/*/folded', '/form/sections/*/onDemand'],
  'parts/OverlapInputs': ['/noOverlap'],
  'parts/requests/RequestInputs': [
    ...[
      '/requests/*/adds',
      '/requests/*/icon',
      '/requests/*/where',
      '/requests/*/roles',
      '/requests/*/levels',
      '/requests/*/confirm',
    ],
    ...['/requests/*/toast', '/requests/*/title', '/requests/*/path', '/requests/*/visible', '/requests/*/list'],
    ...['/requests/*/ignoredNames', '/requests/*/width'],
  ],
  'parts/automations/AutomationsPanel': ['/automations'],
  'parts/requests/RowActions': ['/list/actions'],
};

/** The keys with inputs of their own, `*` for an entry; those of fields are those of `fieldKeyOptions`. */
const panels: Readonly<Record<string, readonly string[]>> = {
  'parts/ChipMarks': ['/chip/marks'],
  'fields/FieldsPane': ['/fields'],
  'properties/panels': ['/list', '/rules'],
  'parts/Columns': [
    ...['/list/columns', '/list/columns/*/field', '/list/columns/*/label', '/list/columns/*/visible'],
    ...['/list/columns/*/fixed', '/list/columns/*/width', '/list/columns/*/priority'],
  ],
  'parts/ColumnLines': ['/list/columns/*/secondLine'],
  'parts/Highlight': [
    ...['/list/highlight', '/list/highlight/where', '/list/highlight/tone', '/list/highlight/label'],
    ...['/list/highlight/lateSince', '/list/highlight/*/lateSince'],
    ...['/list/highlight/*/where', '/list/highlight/*/tone', '/list/highlight/*/label'],
  ],
  'properties/specialInputs': [
    ...['/list/card/lines/*/field', '/list/card/lines/*/icon', '/list/kanban/lines/*/field'],
    '/list/kanban/lines/*/icon',
  ],
  'parts/requests/RowActions': ['/list/actions'],
  'parts/automations/AutomationsPanel': ['/automations'],
  'parts/audience': ['/automations/*/steps/*/notify/levels', '/automations/*/steps/*/notify/roles'],
  'parts/FormPanel': ['/form', '/form/dialog'],
  'parts/Sections': [
    '/form/sections',
    '/form/sections/*/label',
    '/form/sections/*/description',
    '/form/sections/*/fields',
    '/form/sections/*/alternatives',
    '/form/sections/*/alternatives/*/label',
    '/form/sections/*/alternatives/*/fields',
  ],
  'parts/requests/RequestsPanel': ['/requests'],
  'parts/requests/RequestInputs': [
    ...['/requests/*/label', '/requests/*/sets', '/requests/*/asks', '/requests/*/required'],
  ],
  'parts/Grants': ['/grants', '/grants/*'],
  'parts/OverlapInputs': ['/noOverlap', '/noOverlap/fields'],
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

/** The definition with an entry wherever a path leads through one. */
function sourceWith(steps: readonly string[]): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return undefined;
  const below = sourceWith(rest);
  return step === '0' ? [below ?? {}] : { [step]: below ?? {} };
}

/** Whether the language has a label for a key, for all of its own keys, or for its values by name. */
function isLabelled(path: string): boolean {
  const steps = path
    .split('/')
    .slice(1)
    .map((step) => (step === '*' ? '0' : step));
  const keys = partKeysAt(sourceWith(steps) as Source, steps.slice(0, -1));
  const key = keys.find(({ name }) => name === steps.at(-1));
  return key !== undefined && hasLabel(key.description);
}

const hasLabel = ({ words, kind, keys }: KeyDescription): boolean =>
  words.label !== undefined || (kind === 'part' && keys.some(({ description }) => hasLabel(description)));

const isBelow = (path: string, above: string) => path === above || path.startsWith(`${above}/`);
const isExcepted = (path: string) => Object.keys(withoutPanel).some((above) => isBelow(path, above));
const wanted = [...new Set(keysOf(load('resource.schema.json')))].filter((path) => !isExcepted(path));

describe('every key of a definition', () => {
  it('has a panel of the studio, or a reason', () => {
    const written = Object.values(panels).flat();
    const roots = Object.values(forms).flat();
    const labelled = wanted.filter((path) => roots.some((root) => isBelow(path, root)) && isLabelled(path));
    const offered = [...written, ...labelled];
    expect(wanted.filter((path) => !offered.includes(path))).toEqual([]);
    expect([...written, ...roots].filter((path) => !wanted.includes(path))).toEqual([]);
    expect(written.toSorted()).toEqual([...new Set(written)].toSorted());
    expect(roots.toSorted()).toEqual([...new Set(roots)].toSorted());
  });

  it.each([...Object.entries(panels), ...Object.entries(forms)])('%s names its keys', (panel, paths) => {
    const text = readFileSync(new URL(`../../../src/app/studio/${panel}.tsx`, import.meta.url), 'utf8');
    const code = text.replaceAll(/^import .*$/gm, '').replaceAll(/\/\*\*[\s\S]*?\*\//g, '');
    const named = (path: string) => {
      const key = path.split('/').findLast((step) => step !== '*')!;
      return new RegExp(`(/|'|\\.|[{,(] ?|Record<')${key}\\b`).test(code);
    };
    expect(paths.filter((path) => !named(path))).toEqual([]);
  });

  it('has no exception for an unknown key, and no panel edits it as JSON', () => {
    const all = [...keysOf(load('resource.schema.json'))];
    expect(Object.keys(withoutPanel).filter((path) => !all.includes(path))).toEqual([]);
    for (const panel of Object.keys(panels)) {
      const url = new URL(`../../../src/app/studio/${panel}.tsx`, import.meta.url);
      expect([panel, readFileSync(url, 'utf8').includes('JsonProperty')]).toEqual([panel, false]);
    }
  });

  it('of a field is offered for the types that know the key', () => {
    const offered = new Set(fieldTypeNames.flatMap((type) => fieldKeyOptions(type).map(({ key }) => key as string)));
    // Only renaming says what a field was.
    expect(Object.keys(fieldSchema.properties).filter((key) => !offered.has(key))).toEqual(['formerName']);
  });
});
