import type { Definition, Field, FieldOf, ImportDefinition } from '../definitions/definition';
import { isImportable } from '../normalise/normalise-import';
import { rowColumnAt, rowColumnLabel, rowColumnPath, rowsFields } from '../field-types/row-definition';
import { isRows } from '../field-types/rows';
import { fieldOf, importOf } from '../definitions/accessors';
import { itemAt, propertyOf } from '../values/lookups';

/** A target that a column of a file can fill: a field, a column of rows (`lines.action`), or the fields of a path, separated by commas. */
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
  const normalisedHeading = heading.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return normalisedHeading === '' ? heading.trim().toLowerCase() : normalisedHeading;
}

/**
 * The targets that a file can fill: the fields that the importing user can set, and which record a row is about.
 *
 * @example importTargets(definition, new Set(['name'])).map(({ value }) => value); // ['name']
 */
export function importTargets(definition: Definition, allowedFields: ReadonlySet<string>): ImportTarget[] {
  const { columns, paths } = importOf(definition);
  const label = (name: string) => fieldOf(definition, name).label;
  const singleTargets = columns
    .filter(({ field }) => allowedFields.has(field))
    .flatMap(({ field }) => importedPaths(definition, field))
    .map((path) => ({ value: path, label: labelAt(definition, path) ?? path, fields: [path] }));
  const combinedTargets = paths
    .filter((fields) => fields.every((name) => allowedFields.has(name)))
    .map((fields) => ({ value: fields.join(','), label: fields.map(label).join(', '), fields }));
  return [...singleTargets, ...combinedTargets, { value: 'id', label: recordIdHeading, fields: ['id'] }];
}

/**
 * The targets that columns of a file can fill of a field: itself, or each column of its rows.
 *
 * @example importedPaths(definition, 'lines'); // ['lines.action', 'lines.expected']
 */
export function importedPaths({ fields }: Definition, name: string): readonly string[] {
  const field = propertyOf(fields, name);
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
  const normalisedHeadings = headings
    .map(normaliseHeading)
    .filter((heading) => heading !== normaliseHeading(errorsHeading));
  return normalisedHeadings.sort().join('\n');
}

/**
 * Every heading known to the definition's import, in plain form.
 *
 * @example knownHeadings(definition).includes('preconditions');
 */
export function knownHeadings(definition: Definition): string[] {
  const { columns, tools, key, numbers } = importOf(definition);
  const definedHeadings = columns.flatMap(({ field: name, synonyms }) => {
    const field = fieldOf(definition, name);
    if (isRows(field)) return headingsOfRows(field, synonyms).map(({ heading }) => heading);
    return [...headingsOfField(definition, name), ...synonyms];
  });
  const ofTools = tools.flatMap(({ headings, columns: mappedColumns }) => [...headings, ...Object.keys(mappedColumns)]);
  return [...new Set([...definedHeadings, recordIdHeading, ...ofTools, ...key, ...numbers].map(normaliseHeading))];
}

function headingsOfField({ fields }: Definition, name: string): string[] {
  const { label, embed } = propertyOf(fields, name);
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
  const fileHeadings = new Set(headings.map(normaliseHeading));
  return tools.find(({ headings: toolHeadings }) =>
    toolHeadings.every((heading) => fileHeadings.has(normaliseHeading(heading))),
  );
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
 * name, label or embed, synonyms, and labels that it shortens. A remembered mapping comes before a program's headings and synonyms; but a
 * heading that names a field exactly keeps it, and a remembered mapping never fills a field that has its own heading.
 * No field is filled by two columns, except explicitly or for steps.
 *
 * @example matchColumns(definition, ['Title'], targets, { byHand: {}, remembered: {} });
 */
export function matchColumns(
  definition: Definition,
  headings: readonly string[],
  targets: readonly ImportTarget[],
  { byHand, remembered: rememberedMapping }: HeadingMappings,
): MatchedColumn[] {
  if (Object.keys(rememberedMapping).length === 0)
    return matchWith(definition, headings, targets, normaliseKeys(byHand), new Map());
  const ownMatches = matchWith(definition, headings, targets, normaliseKeys(byHand), new Map());
  const exact = headingLookups(definition).names;
  const fieldsByName = new Set(
    ownMatches.flatMap(({ field, by: matchedBy }) => (matchedBy === 'name' ? (field ?? []) : [])),
  );
  const targetsByValue = new Map(targets.map((target) => [target.value, target]));
  const usable = [...normaliseKeys(rememberedMapping)].filter(([heading, value]) => {
    const fields = value === null ? [] : (targetsByValue.get(value)?.fields ?? [value]);
    return !exact.has(heading) && !fields.some((name) => fieldsByName.has(name));
  });
  return matchWith(definition, headings, targets, normaliseKeys(byHand), new Map(usable));
}

/** Fields by their headings: exact names and synonyms. */
function headingLookups(definition: Definition) {
  const names = new Map<string, string>();
  const synonyms = new Map<string, string>();
  const labels: Label[] = [];
  for (const { field, synonyms: columnSynonyms } of importOf(definition).columns) {
    const importedField = fieldOf(definition, field);
    if (isRows(importedField)) {
      const importedNames = new Set(importedPaths(definition, field));
      for (const { heading, path } of headingsOfRows(importedField, columnSynonyms))
        if (importedNames.has(path)) addIfMissing(names, heading, path);
      continue;
    }
    for (const heading of headingsOfField(definition, field)) addIfMissing(names, heading, field);
    for (const synonym of columnSynonyms) addIfMissing(synonyms, synonym, field);
    labels.push({ words: wordsOf(importedField.label), field });
  }
  addIfMissing(names, recordIdHeading, 'id');
  return { names, synonyms, labels };
}

/** The label of a field, as words without case and signs. Synonyms are not shortened: `Test` is not `Tester`. */
interface Label {
  readonly words: readonly string[];
  readonly field: string;
}

const wordsOf = (heading: string) => heading.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The fewest letters of a shortened word: with fewer, too many words begin alike. */
const fewestLetters = 3;

/**
 * The field whose label a heading shortens word by word, as `Prio` and `Exp. Result` do; undefined if it shortens none, or
 * those of several fields.
 */
function fieldOfShortLabel(heading: string, labels: readonly Label[]): string | undefined {
  const words = wordsOf(heading);
  if (words.length === 0 || words.some((word) => word.length < fewestLetters)) return undefined;
  const isShortOf = (fullWords: readonly string[]) =>
    fullWords.length === words.length && words.every((word, index) => fullWords[index]!.startsWith(word));
  const fields = new Set(labels.flatMap(({ words: fullWords, field }) => (isShortOf(fullWords) ? [field] : [])));
  return fields.size === 1 ? [...fields][0] : undefined;
}

type NormalisedMapping = ReadonlyMap<string, string | null>;

function matchWith(
  definition: Definition,
  headings: readonly string[],
  targets: readonly ImportTarget[],
  hand: NormalisedMapping,
  memory: NormalisedMapping,
): MatchedColumn[] {
  const importDefinition = importOf(definition);
  const targetsByValue = new Map(targets.map((target) => [target.value, target]));
  const tool = normaliseKeys(detectTool(importDefinition, headings)?.columns ?? {});
  const { names, synonyms, labels } = headingLookups(definition);
  const matchedColumns: (MatchedColumn | undefined)[] = headings.map(() => undefined);
  const reasons = new Map<number, string>();
  const headingsByField = new Map<string, string>();
  const isJoined = (value: string) =>
    importDefinition.steps.includes(value) || rowColumnAt(definition, value) !== undefined;
  const take = (
    matchedBy: MatchedColumn['by'],
    lookUp: (plain: string, heading: string) => string | null | undefined,
  ) =>
    headings.forEach((heading, index) => {
      if (matchedColumns[index]) return;
      const value = lookUp(normaliseHeading(heading), heading);
      if (value === undefined) return;
      const target = value === null ? undefined : targetsByValue.get(value);
      if (value !== null && !target) {
        const label = labelAt(definition, value);
        if (label) reasons.set(index, `You don't have permission to set ${label}.`);
        return;
      }
      const otherHeading = value === null ? undefined : headingsByField.get(value);
      if (otherHeading !== undefined && matchedBy !== 'hand' && !(matchedBy === 'tool' && isJoined(value ?? ''))) {
        reasons.set(index, `${target?.label ?? value} is already filled by “${otherHeading}”.`);
        return;
      }
      for (const name of target?.fields ?? []) headingsByField.set(name, heading);
      matchedColumns[index] = { heading, field: target?.value ?? null, label: target?.label ?? null, by: matchedBy };
    });
  take('hand', (heading) => hand.get(heading));
  take('memory', (heading) => memory.get(heading));
  take('errors', (heading) => (heading === normaliseHeading(errorsHeading) ? null : undefined));
  take('tool', (heading) => tool.get(heading));
  take('name', (heading) => names.get(heading));
  take('synonym', (heading) => synonyms.get(heading));
  take('synonym', (_, heading) => fieldOfShortLabel(heading, labels));
  return matchedColumns.map((column, index) => {
    if (column) return column;
    const reason = reasons.get(index);
    return { heading: itemAt(headings, index), field: null, label: null, by: null, ...(reason && { reason }) };
  });
}

function addIfMissing(map: Map<string, string>, heading: string, name: string): void {
  const normalisedHeading = normaliseHeading(heading);
  if (!map.has(normalisedHeading)) map.set(normalisedHeading, name);
}

function normaliseKeys(mapping: HeadingMapping): Map<string, string | null> {
  return new Map(Object.entries(mapping).map(([heading, value]) => [normaliseHeading(heading), value]));
}
