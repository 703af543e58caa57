import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Definition, Field } from '../../engine/definitions/definition';
import { templateFields } from '../../engine/definitions/labels';
import type { Registry } from '../../engine/definitions/registry';
import { columnOf, typeOf } from '../../engine/field-types';
import { operandOf } from './columns';
import { asText, no, patternOf, type Bool } from './compare-sql';
import { compileWithoutParameters } from './compile';
import { literal, lowered } from './text-sql';

/** The fields that `q` looks into: the title's and the searchable ones, as far as the table keeps them. */
export function searchedFields(definition: Definition): Field[] {
  const title = templateFields(definition.recordTitle);
  return Object.values(definition.fields).filter((field) => {
    if (field.secret) return false;
    if (typeof field.computed === 'string') return field.searchable && isIndexable(definition, field.computed);
    return columnOf(field) === 'text' && (field.searchable || title.includes(field.name));
  });
}

/** Whether a template's text depends on the row alone, and on nothing that the session's settings change. */
function isIndexable(definition: Definition, template: string): boolean {
  return templateFields(template).every((path) => {
    const field = definition.fields[path];
    const column = field && columnOf(field);
    return column === 'text' || column === 'integer' || column === 'double precision';
  });
}

/** The column of a table that keeps the searched text of each row. */
export interface SearchColumn {
  /** `search$` and a hash of the expression; `$` stands in no field's name. */
  readonly name: string;
  /** What PostgreSQL computes it from, when a row is written. */
  readonly expression: string;
}

const columns = new WeakMap<Definition, SearchColumn | null>();

/**
 * The generated column in which a resource's table keeps the text that `q` is looked for in: looking there costs a
 * fraction of putting the text together and taking the markup off for each row that a search meets. PostgreSQL computes
 * it, so that imports, conversions and other versions of the program keep it right as well. A definition that searches
 * something else has another column. Undefined where nothing is searched, and for tables that migrations make.
 */
export function searchColumn(definition: Definition, registry: Registry): SearchColumn | undefined {
  const known = columns.get(definition);
  if (known !== undefined) return known ?? undefined;
  const inTable = definition.system ? undefined : searchSql(definition, definition.table, registry);
  if (!inTable) {
    columns.set(definition, null);
    return undefined;
  }
  // Hashed without the table's name: a table that is renamed keeps the column.
  const hashed = compileWithoutParameters(searchSql(definition, 't', registry)!);
  const hash = createHash('sha1').update(hashed).digest('hex').slice(0, 8);
  const column = { name: `search$${hash}`, expression: compileWithoutParameters(inTable) };
  columns.set(definition, column);
  return column;
}

/** Whether a column was made to be searched, for whichever definition. */
export function isSearchColumn(name: string): boolean {
  return name.startsWith('search$');
}

/**
 * The one text that `q` is looked for in, in small letters; undefined where there is nothing to search. `readable`
 * leaves out fields.
 */
export function searchSql(
  definition: Definition,
  alias: string,
  registry: Registry,
  readable?: ReadonlySet<string>,
): RawBuilder<unknown> | undefined {
  const texts = searchedTexts(definition, alias, registry, readable);
  return texts.length === 0 ? undefined : lowered(sql.join(texts, sql` || ${literal('\n')} || `));
}

/** The texts that `q` is looked for in, without markup. */
function searchedTexts(
  definition: Definition,
  alias: string,
  registry: Registry,
  readable?: ReadonlySet<string>,
): RawBuilder<unknown>[] {
  const searched = searchedFields(definition).filter((field) => readable?.has(field.name) ?? true);
  // By name: the order of fields is a matter of forms, and must not make another text of it. Migrations have written the
  // indexes of the program's own tables in the order of their fields.
  const fields = definition.system ? searched : searched.sort((one, other) => (one.name < other.name ? -1 : 1));
  return fields.map((field) => {
    const operand = operandOf(definition, field, alias, registry)!;
    const text = sql`coalesce(${asText(operand)}, '')`;
    return typeOf(field).markup ? withoutMarkup(text) : text;
  });
}

/** What a reader sees of formatted text: a word stays one where only part of it is bold. */
function withoutMarkup(text: RawBuilder<unknown>): RawBuilder<unknown> {
  const words = sql`regexp_replace(${text}, '</?(a|b|code|em|i|mark|s|span|strong|sub|sup|u)( [^>]*)?>', '', 'gi')`;
  const lines = sql`regexp_replace(${words}, '(<[^>]*>|&nbsp;|[[:space:]])+', ' ', 'g')`;
  return sql`replace(replace(replace(${lines}, '&lt;', '<'), '&gt;', '>'), '&amp;', '&')`;
}

/**
 * How a text is looked for: by the index of trigrams; in each row that other conditions leave (`scan`); or in rows of a
 * list's order until a page is full (`walk`), which PostgreSQL takes to be soon, whatever the text.
 */
export type SearchWay = 'index' | 'scan' | 'walk';

/** What is looked for: as values, or as slots of a statement that serves every text which is looked for alike. */
export interface Needle {
  readonly way: SearchWay;
  /** It goes over more than one line, so that it may be found across fields. */
  readonly lines: boolean;
  /** The text in small letters. */
  readonly text: unknown;
  /** The pattern of LIKE for texts that contain it. */
  readonly pattern: unknown;
}

/** A text as it is looked for: by the index where it has a trigram, unless another way is given. */
export function needleOf(text: string, way: SearchWay = hasTrigram(text) ? 'index' : 'scan'): Needle {
  return { way, lines: text.includes('\n'), text: text.toLowerCase(), pattern: patternOf(text) };
}

/**
 * Whether a trigram can be made of a text that may stand anywhere: of three letters or digits in a row, or of fewer where
 * something else in the text marks where their word begins (two blanks belong to it) or ends (one does).
 */
function hasTrigram(text: string): boolean {
  return Array.from(text.matchAll(/[\p{L}\p{N}]+/gu)).some(({ 0: run, index }) => {
    const begins = index > 0;
    const ends = index + run.length < text.length;
    return [...run].length + (begins ? 2 : 0) + (ends ? 1 : 0) >= 3;
  });
}

/**
 * Whether the row holds a text somewhere, in any case of letters. What has no trigram is looked for in every row, as the
 * index would only add to that. `readable` are the fields to search, where it is not all of them: a row that holds the
 * text in one of them holds it in the stored text too.
 */
export function searchCondition(
  definition: Definition,
  alias: string,
  registry: Registry,
  searched: string | Needle,
  readable?: ReadonlySet<string>,
): Bool {
  if (typeof searched === 'string' && searched.includes('\0')) return no;
  const needle = typeof searched === 'string' ? needleOf(searched) : searched;
  const texts = searchSql(definition, alias, registry, readable);
  if (!texts) return no;
  const column = searchColumn(definition, registry);
  if (!column || (readable && needle.lines)) return sql`${texts} like ${needle.pattern}::text`;
  const stored = storedHolds(sql.id(alias, column.name), needle);
  if (!readable) return stored;
  // One text after the other: what is often found is mostly found in the first.
  const each = searchedTexts(definition, alias, registry, readable).map(
    (text) => sql`${lowered(text)} like ${needle.pattern}::text`,
  );
  return sql`(${stored} and (${sql.join(each, sql` or `)}))`;
}

function storedHolds(place: RawBuilder<unknown>, { way, pattern, text }: Needle): Bool {
  switch (way) {
    case 'index':
      return sql`${place} like ${pattern}::text`;
    case 'scan':
      // LIKE as a function, which no index serves: one without a trigram to look for would answer with every row.
      return sql`textlike(${place}, ${pattern}::text)`;
    case 'walk':
      return sql`strpos(${place}, ${text}::text) > 0`;
  }
}
