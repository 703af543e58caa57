import type { Definition, Field, FieldOf, ImportDefinition } from '../definitions/definition';
import { isImportable } from '../definitions/normalise-import';
import { rowColumnAt, rowColumnLabel, rowColumnPath, rowsFields } from '../definitions/row-definition';
import { isRows } from '../field-types/rows';

/** What a column of a file can fill: a field, a column of rows (`lines.action`), or the fields of a path, separated by commas. */
export interface ImportTarget {
  readonly value: string;
  readonly label: string;
  readonly fields: readonly string[];
}

/** A column of a file, and its target. */
export interface MatchedColumn {
  readonly heading: string;
  /** A target's value; null: left out. */
  readonly field: string | null;
  readonly label: string | null;
  /** `hand`: by this request's mapping · `memory`: by an earlier mapping · `errors`: the column added by an import. */
  readonly by: 'name' | 'synonym' | 'tool' | 'hand' | 'memory' | 'errors' | null;
  /** Why the column fills nothing, if the reason is not just an unknown heading. */
  readonly reason?: string;
}

/** Heading → target, or null to leave the column out. */
export type HeadingMapping = Readonly<Record<string, string | null>>;

/** The heading of the column with the ids of records, which exports write and imports find records by. */
export const recordIdHeading = 'Record ID';

/** The column that a file of failed rows has besides the original ones. */
export const errorsHeading = 'Errors';

/**
 * A heading without case, spaces and signs, so that `Pre-Conditions` is `pre_conditions`.
 *
 * @example normaliseHeading('Pre-Conditions'); // 'preconditions'
 */
export function normaliseHeading(heading: string): string {
  const plain = heading.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return plain === '' ? heading.trim().toLowerCase() : plain;
}

/**
 * What a file can fill: the fields that the importing user can set, and which record a row is about.
 *
 * @example importTargets(definition, new Set(['name'])).map(({ value }) => value); // ['name']
 */
export function importTargets(definition: Definition, allowed: ReadonlySet<string>): ImportTarget[] {
  const { columns, paths } = definition.import!;
  const label = (name: string) => definition.fields[name]!.label;
  const single = columns
    .filter(({ field }) => allowed.has(field))
    .flatMap(({ field }) => importedPaths(definition, field))
    .map((path) => ({ value: path, label: labelAt(definition, path)!, fields: [path] }));
  const several = paths
    .filter((fields) => fields.every((name) => allowed.has(name)))
    .map((fields) => ({ value: fields.join(','), label: fields.map(label).join(', '), fields }));
  return [...single, ...several, { value: 'id', label: recordIdHeading, fields: ['id'] }];
}

/**
 * What columns of a file can fill of a field: itself, or each column of its rows.
 *
 * @example importedPaths(definition, 'lines'); // ['lines.action', 'lines.expected']
 */
export function importedPaths({ fields }: Definition, name: string): readonly string[] {
  const field = fields[name]!;
  if (!isRows(field)) return [name];
  return Object.values(field.columns)
    .filter(isImportable)
    .map((column) => rowColumnPath({ field, column }));
}

/**
 * The field at such a path: also a column of rows.
 *
 * @example importedFieldAt(definition, 'lines.action')?.type; // 'textarea'
 */
export function importedFieldAt(definition: Definition, path: string): Field | undefined {
  return rowColumnAt(definition, path)?.column ?? definition.fields[path];
}

/**
 * The label of what such a path leads to; undefined if that is nothing.
 *
 * @example labelAt(definition, 'lines.action'); // 'Lines: Action'
 */
export function labelAt(definition: Definition, path: string): string | undefined {
  const column = rowColumnAt(definition, path);
  return column ? rowColumnLabel(column) : definition.fields[path]?.label;
}

/**
 * The key of a set of headings, independent of their order and without the errors column.
 *
 * @example headingsKey(['Title', 'ID']); // 'id\ntitle'
 */
export function headingsKey(headings: readonly string[]): string {
  const plain = headings.map(normaliseHeading).filter((one) => one !== normaliseHeading(errorsHeading));
  return plain.sort().join('\n');
}

/**
 * Every heading known to the definition's import, in plain form.
 *
 * @example knownHeadings(definition).includes('preconditions');
 */
export function knownHeadings(definition: Definition): string[] {
  const { columns, tools, key, numbers } = definition.import!;
  const written = columns.flatMap(({ field: name, synonyms }) => {
    const field = definition.fields[name]!;
    if (isRows(field)) return headingsOfRows(field, synonyms).map(({ heading }) => heading);
    return [...headingsOfField(definition, name), ...synonyms];
  });
  const ofTools = tools.flatMap(({ headings, columns: mapped }) => [...headings, ...Object.keys(mapped)]);
  return [...new Set([...written, recordIdHeading, ...ofTools, ...key, ...numbers].map(normaliseHeading))];
}

function headingsOfField({ fields }: Definition, name: string): string[] {
  const { label, embed } = fields[name]!;
  return [name, label, ...(embed ? [embed] : [])];
}

/** Every heading of the columns of rows, also of those that are not imported, with the paths of the columns. */
function headingsOfRows(field: FieldOf<'rows'>, synonyms: readonly string[] = []): { heading: string; path: string }[] {
  return Object.values(field.columns).flatMap((column) =>
    [field.label, field.name, ...synonyms].flatMap((rows) =>
      [column.label, column.name, ...(column.embed ? [column.embed] : [])].map((name) => ({
        heading: `${rows}: ${name}`,
        path: rowColumnPath({ field, column }),
      })),
    ),
  );
}

/**
 * Returns a function that tells whether a column of a file is one of rows, also of those that are not imported.
 *
 * @example columns.filter(rowsColumnCheck(definition));
 */
export function rowsColumnCheck(definition: Definition): (column: MatchedColumn) => boolean {
  const headings = new Set(
    rowsFields(definition).flatMap((field) => headingsOfRows(field).map(({ heading }) => normaliseHeading(heading))),
  );
  return ({ heading, field }) =>
    field === null ? headings.has(normaliseHeading(heading)) : rowColumnAt(definition, field) !== undefined;
}

/**
 * The program with these headings; undefined if none is known.
 *
 * @example detectTool(definition.import, ['Section Hierarchy', 'Steps (Expected Result)'])?.name; // 'TestRail'
 */
export function detectTool(
  { tools }: ImportDefinition,
  headings: readonly string[],
): ImportDefinition['tools'][number] | undefined {
  const there = new Set(headings.map(normaliseHeading));
  return tools.find(({ headings: when }) => when.every((heading) => there.has(normaliseHeading(heading))));
}

/**
 * The mappings of headings: from this request, and remembered from earlier ones. A remembered one never overrides an
 * exact heading.
 */
export interface HeadingMappings {
  readonly byHand: HeadingMapping;
  readonly remembered: HeadingMapping;
}

/**
 * Finds the target of each column, by priority: this request's mapping, the mapping of the program that wrote the file,
 * name, label or embed, and synonyms. A remembered mapping comes before a program's headings and synonyms; but a
 * heading that names a field exactly keeps it, and a remembered mapping never fills a field that has its own heading.
 * No field is filled by two columns, except explicitly or for steps.
 *
 * @example matchColumns(definition, ['Title'], targets, { byHand: {}, remembered: {} });
 */
export function matchColumns(
  definition: Definition,
  headings: readonly string[],
  targets: readonly ImportTarget[],
  { byHand, remembered }: HeadingMappings,
): MatchedColumn[] {
  if (Object.keys(remembered).length === 0)
    return matchWith(definition, headings, targets, normaliseKeys(byHand), new Map());
  const without = matchWith(definition, headings, targets, normaliseKeys(byHand), new Map());
  const exact = headingLookups(definition).names;
  const named = new Set(without.flatMap(({ field, by }) => (by === 'name' ? [field!] : [])));
  const known = new Map(targets.map((target) => [target.value, target]));
  const usable = [...normaliseKeys(remembered)].filter(([heading, value]) => {
    const fields = value === null ? [] : (known.get(value)?.fields ?? [value]);
    return !exact.has(heading) && !fields.some((name) => named.has(name));
  });
  return matchWith(definition, headings, targets, normaliseKeys(byHand), new Map(usable));
}

/** Fields by their headings: exact names and synonyms. */
function headingLookups(definition: Definition) {
  const names = new Map<string, string>();
  const synonyms = new Map<string, string>();
  for (const { field, synonyms: written } of definition.import!.columns) {
    const rows = definition.fields[field]!;
    if (isRows(rows)) {
      const imported = new Set(importedPaths(definition, field));
      for (const { heading, path } of headingsOfRows(rows, written))
        if (imported.has(path)) addIfMissing(names, heading, path);
      continue;
    }
    for (const one of headingsOfField(definition, field)) addIfMissing(names, one, field);
    for (const one of written) addIfMissing(synonyms, one, field);
  }
  addIfMissing(names, recordIdHeading, 'id');
  return { names, synonyms };
}

type NormalisedMapping = ReadonlyMap<string, string | null>;

function matchWith(
  definition: Definition,
  headings: readonly string[],
  targets: readonly ImportTarget[],
  hand: NormalisedMapping,
  memory: NormalisedMapping,
): MatchedColumn[] {
  const imported = definition.import!;
  const known = new Map(targets.map((target) => [target.value, target]));
  const tool = normaliseKeys(detectTool(imported, headings)?.columns ?? {});
  const { names, synonyms } = headingLookups(definition);
  const found: (MatchedColumn | undefined)[] = headings.map(() => undefined);
  const reasons = new Map<number, string>();
  const taken = new Map<string, string>();
  const isJoined = (value: string) => imported.steps.includes(value) || rowColumnAt(definition, value) !== undefined;
  const take = (by: MatchedColumn['by'], lookUp: (plain: string) => string | null | undefined) =>
    headings.forEach((heading, index) => {
      if (found[index]) return;
      const value = lookUp(normaliseHeading(heading));
      if (value === undefined) return;
      const target = value === null ? undefined : known.get(value);
      if (value !== null && !target) {
        const label = labelAt(definition, value);
        if (label) reasons.set(index, `You don't have permission to set ${label}.`);
        return;
      }
      const other = value === null ? undefined : taken.get(value);
      if (other !== undefined && by !== 'hand' && !(by === 'tool' && isJoined(value!))) {
        reasons.set(index, `${target!.label} is already filled by “${other}”.`);
        return;
      }
      for (const name of target?.fields ?? []) taken.set(name, heading);
      found[index] = { heading, field: target?.value ?? null, label: target?.label ?? null, by };
    });
  take('hand', (plain) => hand.get(plain));
  take('memory', (plain) => memory.get(plain));
  take('errors', (plain) => (plain === normaliseHeading(errorsHeading) ? null : undefined));
  take('tool', (plain) => tool.get(plain));
  take('name', (plain) => names.get(plain));
  take('synonym', (plain) => synonyms.get(plain));
  return found.map((column, index) => {
    if (column) return column;
    const reason = reasons.get(index);
    return { heading: headings[index]!, field: null, label: null, by: null, ...(reason && { reason }) };
  });
}

function addIfMissing(map: Map<string, string>, heading: string, name: string): void {
  const plain = normaliseHeading(heading);
  if (!map.has(plain)) map.set(plain, name);
}

function normaliseKeys(mapping: HeadingMapping): Map<string, string | null> {
  return new Map(Object.entries(mapping).map(([heading, value]) => [normaliseHeading(heading), value]));
}
