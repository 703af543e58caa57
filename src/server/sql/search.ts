import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Definition, Field, FieldOf } from '../../engine/definitions/definition';
import { templateFields } from '../../engine/definitions/labels';
import { insertedField, rowColumns, rowDefinition, rowsFields } from '../../engine/field-types/row-definition';
import type { Registry } from '../../engine/registry/registry';
import { columnTypeOf, fieldTypeOf, isWholeNumber } from '../../engine/field-types';
import { indexExpression } from './index-expression';
import { hasCompanyKey, inSameCompany } from './same-company';
import {
  fieldOperand,
  isDecimal,
  textSql,
  sqlFalse,
  likePattern,
  type BooleanSql,
  literal,
  lowerSql,
} from './operands';
import { requireValue } from '../../engine/values/lookups';
import { insertionIn } from '../../engine/field-types/rows';

/** The fields that `q` searches: those of the title and the searchable ones, if the table stores them. */
export function searchFields(definition: Definition): Field[] {
  const title = templateFields(definition.recordTitle);
  return Object.values(definition.fields).filter((field) => {
    if (field.secret) return false;
    if (typeof field.computed === 'string') return field.searchable && isIndexable(definition, field.computed);
    return columnTypeOf(field) === 'text' && (field.searchable || title.includes(field.name));
  });
}

/** The fields whose rows `q` searches: the texts of their columns. */
export function searchedRows(definition: Definition): FieldOf<'rows'>[] {
  return rowsFields(definition).filter(({ searchable }) => searchable);
}

/** Whether a template's text depends only on the row, not on session settings. */
function isIndexable(definition: Definition, template: string): boolean {
  return templateFields(template).every((path) => {
    const field = definition.fields[path];
    const column = field && columnTypeOf(field);
    return column === 'text' || isWholeNumber(column) || column === 'double precision' || isDecimal(column);
  });
}

/** The generated column that stores the searchable text of each row. */
export interface SearchColumn {
  /** `search$` and a hash of the expression. No field name contains `$`. */
  readonly name: string;
  /** The expression from which PostgreSQL computes it when a row is written. */
  readonly expression: string;
}

const searchColumns = new WeakMap<Definition, SearchColumn | null>();

/**
 * The generated column that stores the text searched by `q`. Reading it costs a fraction of concatenating texts and
 * removing markup for every row of a search. PostgreSQL computes it, so imports, conversions and other versions of the
 * program keep it correct too. A definition that searches other fields gets another column. Undefined if nothing is
 * searched, and for tables created by migrations.
 */
export function searchColumn(definition: Definition, registry: Registry): SearchColumn | undefined {
  const knownColumn = searchColumns.get(definition);
  if (knownColumn !== undefined) return knownColumn ?? undefined;
  const inTable = definition.system ? undefined : searchTextSql(definition, definition.table, registry);
  if (!inTable) {
    searchColumns.set(definition, null);
    return undefined;
  }
  // The hash leaves out the table's name, so that a renamed table keeps its column.
  const hashedText = indexExpression(
    requireValue(searchTextSql(definition, 't', registry), `the searched text of ${definition.name}`),
  );
  const hash = createHash('sha1').update(hashedText).digest('hex').slice(0, 8);
  const column = { name: `search$${hash}`, expression: indexExpression(inTable) };
  searchColumns.set(definition, column);
  return column;
}

/** Whether a column stores searchable text, for any definition. */
export function isSearchColumn(name: string): boolean {
  return name.startsWith('search$');
}

/** The searchable text in lower case; undefined if there is nothing to search. `readable` restricts the fields. */
function searchTextSql(
  definition: Definition,
  alias: string,
  registry: Registry,
  readable?: ReadonlySet<string>,
): RawBuilder<unknown> | undefined {
  const texts = searchTexts(definition, alias, registry, readable);
  return texts.length === 0 ? undefined : lowerSql(sql.join(texts, sql` || ${literal('\n')} || `));
}

/** The texts searched by `q`, without markup. */
function searchTexts(
  definition: Definition,
  alias: string,
  registry: Registry,
  readable?: ReadonlySet<string>,
): RawBuilder<unknown>[] {
  const searched = searchFields(definition).filter((field) => readable?.has(field.name) ?? true);
  // Sorted by name: reordering fields in forms must not change the text. Indexes of system tables come from migrations,
  // which used the order of their fields.
  const fields = definition.system ? searched : searched.sort((left, right) => (left.name < right.name ? -1 : 1));
  return fields.map((field) => {
    const operand = requireValue(fieldOperand(definition, field, alias, registry), `the column of ${field.name}`);
    const text = sql`coalesce(${textSql(operand)}, '')`;
    return fieldTypeOf(field).hasMarkup ? withoutMarkup(text) : text;
  });
}

/** The visible text of markup. Inline tags don't split words. */
function withoutMarkup(text: RawBuilder<unknown>): RawBuilder<unknown> {
  const words = sql`regexp_replace(${text}, '</?(a|b|code|em|i|mark|s|span|strong|sub|sup|u)( [^>]*)?>', '', 'gi')`;
  const lines = sql`regexp_replace(${words}, '(<[^>]*>|&nbsp;|[[:space:]])+', ' ', 'g')`;
  return sql`replace(replace(replace(${lines}, '&lt;', '<'), '&gt;', '>'), '&amp;', '&')`;
}

/**
 * How to search: with the trigram index (`index`), in every row left by other conditions (`scan`), or while walking a
 * list in its order until a page is full (`walk`), which PostgreSQL expects to be soon, whatever the text.
 */
export type SearchStrategy = 'index' | 'scan' | 'walk';

/**
 * The text to search for: as values, or as placeholders of a statement that serves every text with the same strategy.
 */
export interface SearchTerm {
  readonly strategy: SearchStrategy;
  /** It spans several lines, so it may match across fields. */
  readonly isMultiline: boolean;
  /** The text in lower case. */
  readonly text: unknown;
  /** The LIKE pattern for texts that contain it. */
  readonly pattern: unknown;
}

/** Prepares a text for searching: with the index if it contains a trigram, unless another strategy is given. */
export function createSearchTerm(
  text: string,
  strategy: SearchStrategy = hasTrigram(text) ? 'index' : 'scan',
): SearchTerm {
  return { strategy, isMultiline: text.includes('\n'), text: text.toLowerCase(), pattern: likePattern(text) };
}

/**
 * Whether the text contains a complete trigram: three letters or digits in a row, or fewer if the rest of the text
 * marks where their word starts (counts as two blanks) or ends (as one).
 */
function hasTrigram(text: string): boolean {
  return Array.from(text.matchAll(/[\p{L}\p{N}]+/gu)).some(({ 0: run, index }) => {
    const startsWord = index > 0;
    const endsWord = index + run.length < text.length;
    return [...run].length + (startsWord ? 2 : 0) + (endsWord ? 1 : 0) >= 3;
  });
}

/**
 * Whether the row, one of the rows that belong to it, or one that these insert, contains a text anywhere, ignoring case. A
 * text without a trigram is searched in every row, since the index would only add work. `readable` restricts the fields; a
 * row with the text in one of them also has it in the stored text.
 */
export function searchCondition(
  definition: Definition,
  alias: string,
  registry: Registry,
  searched: string | SearchTerm,
  readable?: ReadonlySet<string>,
): BooleanSql {
  if (typeof searched === 'string' && searched.includes('\0')) return sqlFalse;
  const needle = typeof searched === 'string' ? createSearchTerm(searched) : searched;
  const ownCondition = (tableAlias: string) => ownSearchCondition(definition, tableAlias, registry, needle, readable);
  const rowFields = searchedRows(definition).filter(({ name }) => readable?.has(name) ?? true);
  if (rowFields.length === 0) return ownCondition(alias);
  const parent = sql.id('line', rowColumns.parent);
  const company = (tableAlias: string) => (hasCompanyKey(definition) ? sql`${sql.id(tableAlias, 'site_id')}, ` : sql``);
  const inRows = rowFields
    .flatMap((field) => rowsWithText(definition, field, registry, needle))
    .map((lines) => ({
      ids: sql`select ${company('line')}${parent} ${lines}`,
      exists: sql`exists (select ${lines} and ${parent} = ${sql.id(alias, 'id')}${inSameCompany('line', alias, definition)})`,
    }));
  if (needle.strategy !== 'index')
    return sql`(${sql.join([ownCondition(alias), ...inRows.map(({ exists }) => exists)], sql` or `)})`;
  // By ids, so that each part is found with its own index.
  const ids = sql`select ${company('entry')}entry.id from ${sql.id('public', definition.table)} entry where ${ownCondition('entry')}`;
  return sql`(${company(alias)}${sql.id(alias, 'id')}) in (${sql.join([ids, ...inRows.map((rowMatch) => rowMatch.ids)], sql` union all `)})`;
}

/**
 * The rows `line` of a field that contain the text, as `from` and `where` of a query, and, apart, because each has its own
 * index, those that insert a record whose rows do: what is read as part of a record is found with it. Of inserted rows only
 * the columns are searched that are read.
 */
function rowsWithText(
  definition: Definition,
  field: FieldOf<'rows'>,
  registry: Registry,
  needle: SearchTerm,
): RawBuilder<unknown>[] {
  const rows = rowDefinition(definition, field);
  const lines = sql`from ${sql.id('public', rows.table)} line`;
  const matchingLines = [sql`${lines} where ${ownSearchCondition(rows, 'line', registry, needle)}`];
  const target = field.insertedRows && insertedField(registry, field);
  // The text of rows that are not searched themselves is not stored.
  if (!target?.field.searchable) return matchingLines;
  const rowsDefinition = rowDefinition(target.definition, target.field);
  const isRead = searchFields(rowsDefinition).every(({ name }) => Object.hasOwn(field.columns, name));
  const readable = isRead ? undefined : new Set(Object.keys(field.columns));
  const isOfCompany = hasCompanyKey(definition) && hasCompanyKey(target.definition);
  const company = (alias: string) => (isOfCompany ? sql`${sql.id(alias, 'site_id')}, ` : sql``);
  const insertedParents = sql`select ${company('inserted')}${sql.id('inserted', rowColumns.parent)} from ${sql.id('public', rowsDefinition.table)} inserted
    where ${ownSearchCondition(rowsDefinition, 'inserted', registry, needle, readable)}`;
  return [
    ...matchingLines,
    sql`${lines} where (${company('line')}${sql.id('line', insertionIn(field).by)}) in (${insertedParents})`,
  ];
}

function ownSearchCondition(
  definition: Definition,
  alias: string,
  registry: Registry,
  needle: SearchTerm,
  readable?: ReadonlySet<string>,
): BooleanSql {
  const searchText = searchTextSql(definition, alias, registry, readable);
  if (!searchText) return sqlFalse;
  const column = searchColumn(definition, registry);
  if (!column || (readable && needle.isMultiline)) return sql`${searchText} like ${needle.pattern}::text`;
  const storedMatch = storedTextMatches(sql.id(alias, column.name), needle);
  if (!readable) return storedMatch;
  // Field by field: frequent texts are mostly found in the first one.
  const textMatches = searchTexts(definition, alias, registry, readable).map(
    (text) => sql`${lowerSql(text)} like ${needle.pattern}::text`,
  );
  return sql`(${storedMatch} and (${sql.join(textMatches, sql` or `)}))`;
}

function storedTextMatches(textSql: RawBuilder<unknown>, { strategy, pattern, text }: SearchTerm): BooleanSql {
  switch (strategy) {
    case 'index':
      return sql`${textSql} like ${pattern}::text`;
    case 'scan':
      // LIKE as a function, which uses no index: without a trigram to look up, the index would return every row.
      return sql`textlike(${textSql}, ${pattern}::text)`;
    case 'walk':
      return sql`strpos(${textSql}, ${text}::text) > 0`;
  }
}
