import { sql } from 'kysely';
import type { Condition, Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { followFilterValue, followInCondition, followName } from '../../engine/registry/renamed-fields';
import { isJson } from '../../engine/field-types/json';
import { isRows } from '../../engine/field-types/rows';
import { isEqualJson } from '../../engine/values/equal-values';
import type { Transaction } from '../database/database';
import { itemAt, propertyOf, requireValue } from '../../engine/values/lookups';

type Definitions = Pick<Registry, 'get'>;

/** JSON that is stored about modules: the table and the column, and the JSON with the present names of fields. */
interface StoredJson {
  readonly table: string;
  readonly column: string;
  readonly follow: (stored: unknown, module: string, registry: Definitions) => unknown;
  /** The column with the name of the module; without one, the JSON says it. */
  readonly module?: string;
}

/** Stored JSON of the engine that names fields, also those of other resources through paths. */
const followedJson: readonly StoredJson[] = [
  { table: 'public.views', column: 'settings', module: 'module', follow: followInView },
  { table: 'public.pages', column: 'tiles', follow: (tiles, _, registry) => followInTiles(tiles, registry) },
  { table: 'assay.grid_configurations', column: 'configuration', module: 'name', follow: followInColumns },
];

/** The list queries that records have, by their definitions (`queryResource`). */
function storedQueries(definitions: Registry['definitions']): StoredJson[] {
  return [...definitions.values()].flatMap(({ table, fields }) =>
    Object.values(fields).flatMap((field) => {
      if (!isJson(field) || field.queryResource === undefined || field.virtual) return [];
      const queryResource = field.queryResource;
      const follow: StoredJson['follow'] = (query, _, registry) =>
        followInQuery(query, registry.get(queryResource), registry);
      return [{ table: `public.${table}`, column: field.name, follow }];
    }),
  );
}

/**
 * Gives fields their present names in saved views, tiles of pages, chosen columns and stored list queries: those of the
 * module itself and those at the end of a path through other modules, by the names that definitions say their fields had
 * before (`formerName`), and the values of options in them. Modules have theirs by now. The fields of modules in
 * `unchangedNames` keep the names that they had. Doing it twice changes nothing.
 */
export async function followRenames(
  trx: Transaction,
  { definitions }: Registry,
  unchangedNames: ReadonlySet<string>,
): Promise<void> {
  const registry: Definitions = {
    get: (name) => {
      const definition = definitions.get(name ?? '');
      return definition && unchangedNames.has(definition.name) ? withoutFormerNames(definition) : definition;
    },
  };
  const names = [
    ...new Set(
      [...definitions.keys()].flatMap((name) =>
        formerNames(requireValue(registry.get(name), `the definition ${name}`)),
      ),
    ),
  ];
  if (names.length === 0) return;
  for (const { table, column, module, follow } of [...followedJson, ...storedQueries(definitions)]) {
    // Not every product has every module; and what could not be changed may have another column.
    const { rows: existingColumns } = await sql<{ is: boolean }>`select exists (select from pg_attribute
      where attrelid = to_regclass(${table}) and attname = ${column} and atttypid = 'jsonb'::regtype) as is`.execute(
      trx,
    );
    if (!existingColumns[0]?.is) continue;
    const [tableSql, key] = [sql.table(table), sql.ref(column)];
    const ofModule = module === undefined ? sql`''` : sql.ref(module);
    // Only what says one of the names at all is read.
    const { rows } = await sql<{ at: string; stored: unknown; module: string }>`
      select ctid::text as at, ${key} as stored, ${ofModule} as module from ${tableSql}
      where ${key}::text like any (${names.map((name) => `%${name}%`)}::text[]) for update`.execute(trx);
    for (const row of rows) {
      const next = followOrKeep(row.stored, (storedValue) => follow(storedValue, row.module, registry));
      if (next === row.stored) continue;
      await sql`update ${tableSql} set ${key} = ${JSON.stringify(next)}::jsonb where ctid = ${row.at}::tid`.execute(
        trx,
      );
    }
  }
}

/** Deeper than anything that the program stores, and far less than what would end the stack. */
const maxDepth = 100;

/** JSON with present names; the same value if nothing changes, or if it is nested too deeply to be followed. */
function followOrKeep<Value>(storedValue: Value, follow: (value: Value) => unknown): unknown {
  if (isDeep(storedValue)) return storedValue;
  const next = follow(storedValue);
  return isEqualJson(next, storedValue) ? storedValue : next;
}

function isDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    level = level.flatMap((node) => (typeof node === 'object' && node !== null ? Object.values(node) : []));
  }
  return false;
}

function formerNames({ fields }: Definition): string[] {
  const allFields = Object.values(fields).flatMap((field) => [
    field,
    ...(isRows(field) ? Object.values(field.columns) : []),
  ]);
  return allFields.flatMap(({ formerName, options = [] }) => [
    ...(formerName === undefined ? [] : [formerName]),
    ...options.flatMap((option) => (option.formerValue === undefined ? [] : [String(option.formerValue)])),
  ]);
}

function withoutFormerNames(definition: Definition): Definition {
  const fields = Object.entries(definition.fields).map(
    ([name, field]) => [name, withoutFormerValues({ ...field, formerName: undefined })] as const,
  );
  return { ...definition, fields: Object.fromEntries(fields) };
}

function withoutFormerValues(field: Field): Field {
  if (!field.options) return field;
  return { ...field, options: field.options.map((option) => ({ ...option, formerValue: undefined })) } as Field;
}

/** The settings of a saved view: filters and totals by field, columns, the order and the groups. */
function followInView(settings: unknown, module: string, registry: Definitions): unknown {
  const definition = registry.get(module);
  if (!definition || !isObject(settings)) return settings;
  const ofField = (name: string) => followName(name, definition, registry);
  const followers: Record<string, (value: unknown) => unknown> = {
    filters: (value) => (isObject(value) ? followInFilters(value, definition, registry) : value),
    totals: (value) => (isObject(value) ? renameKeys(value, ofField) : value),
    columns: (value) => followInColumns(value, module, registry),
    sort: (value) => signedName(value, ofField),
    group: (value) => signedName(value, ofField),
  };
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, followers[key]?.(value) ?? value]));
}

/** Filters by field or parameter, with present names and values. */
function followInFilters(filters: ResourceRecord, definition: Definition, registry: Definitions): ResourceRecord {
  const ofField = (name: string) => followName(name, definition, registry);
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [
      filterName(name, definition, ofField),
      Object.hasOwn(definition.parameters, name) ? value : followFilterValue(name, value, definition, registry),
    ]),
  );
}

/** A list query as `GET /{resource}` takes it. A name that would be there twice is one too many: then nothing changes. */
function followInQuery(query: unknown, definition: Definition | undefined, registry: Definitions): unknown {
  if (!definition || !isObject(query)) return query;
  const ofField = (name: string) => followName(name, definition, registry);
  const ofFilter = (name: string) => filterName(name, definition, ofField);
  const followers: Record<string, (value: unknown) => unknown> = {
    q: (value) => value,
    range: (value) => value,
    archive: (value) => value,
    filter: (text) => inText(text, (value) => (isObject(value) ? followInFilters(value, definition, registry) : value)),
    where: (text) =>
      inText(text, (value) => (isObject(value) ? followInCondition(value as Condition, definition, registry) : value)),
    sort: (text) =>
      inText(text, (value) =>
        Array.isArray(value)
          ? value.map((part, index) => (index === 0 ? signedName(part, ofField) : (part as unknown)))
          : value,
      ),
    sort_by: (value) => signedName(value, ofField),
  };
  const names = Object.keys(query).map((name) => (Object.hasOwn(followers, name) ? name : ofFilter(name)));
  if (new Set(names).size < names.length) return query;
  return Object.fromEntries(
    Object.entries(query).map(([name, value], index) => [
      itemAt(names, index),
      Object.hasOwn(followers, name)
        ? propertyOf(followers, name)(value)
        : followFilterValue(name, value, definition, registry),
    ]),
  );
}

/** JSON in a text; what cannot be read, or does not change, stays as it was written. */
function inText(text: unknown, make: (value: unknown) => unknown): unknown {
  if (typeof text !== 'string') return make(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const next = followOrKeep(value, make);
  return next === value ? text : JSON.stringify(next);
}

/** The two ends of a range are called by the field. Names that the list still has stay. */
function filterName(name: string, { parameters }: Definition, ofField: (name: string) => string): string {
  if (Object.hasOwn(parameters, name)) return name;
  const [, field = name, end = ''] = /^(.*?)(_from|_to)$/.exec(name) ?? [];
  const renamedWhole = ofField(name);
  return renamedWhole === name ? `${ofField(field)}${end}` : renamedWhole;
}

/** Columns: of lists as their people chose them, and of views. */
function followInColumns(columns: unknown, module: string, registry: Definitions): unknown {
  const definition = registry.get(module);
  if (!definition || !Array.isArray(columns)) return columns;
  return columns.map((column: unknown) =>
    isObject(column) && typeof column.field === 'string'
      ? { ...column, field: followName(column.field, definition, registry) }
      : column,
  );
}

function followInTiles(tiles: unknown, registry: Definitions): unknown {
  if (!Array.isArray(tiles)) return tiles;
  return tiles.map((tile: unknown) => {
    const definition = isObject(tile) && typeof tile.module === 'string' ? registry.get(tile.module) : undefined;
    if (!definition || !isObject(tile)) return tile;
    const ofField = (name: string) => followName(name, definition, registry);
    const { where: condition, sort, columns } = tile;
    return {
      ...tile,
      ...(isObject(condition) && { where: followInCondition(condition as Condition, definition, registry) }),
      ...(sort !== undefined && { sort: signedName(sort, ofField) }),
      ...(Array.isArray(columns) && {
        columns: columns.map((name: unknown) => (typeof name === 'string' ? ofField(name) : name)),
      }),
    };
  });
}

/** An order has a sign, a group by dates its period: `-due_on`, `due_on:week`. */
function signedName(value: unknown, ofField: (name: string) => string): unknown {
  if (typeof value !== 'string') return value;
  const [, sign = '', name = '', period = ''] = /^(-?)([^:]*)(:.*)?$/.exec(value) ?? [];
  return `${sign}${ofField(name)}${period}`;
}

const renameKeys = (object: ResourceRecord, make: (key: string) => string): ResourceRecord =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [make(key), value]));

const isObject = (value: unknown): value is ResourceRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
