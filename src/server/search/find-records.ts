import { normaliseText } from '../../engine/values/normalise-text';
import { sql, type RawBuilder } from 'kysely';
import { decideAccess } from '../../engine/access/access-decision';
import type { Definition, Field } from '../../engine/definitions/definition';
import { isRelation, parseId } from '../../engine/field-types/relation';
import { isSequence } from '../../engine/field-types/sequence';
import { scopeFilterName, type ListScope } from '../../engine/lists/list-scope';
import type { Predicate } from '../../engine/conditions/grammar';
import { accessFilter, accessFilterIfGranted, allOf, readableFields } from '../access/access-filter';
import { parseFilter } from '../records/read/query/filter';
import type { RecordScope } from '../access/record-scope';
import type { RequestContext } from '../access/request-context';
import { titleFields } from '../records/choices/choices';
import { replanMarker } from '../database/statements';
import { likePattern, literal, lowerSql, titleSql, visibleTitleSql } from '../sql/operands';
import { predicateToSql } from '../sql/predicate-to-sql';
import { createSearchTerm, searchCondition, searchedRows, searchFields, type SearchStrategy } from '../sql/search';

type Sql = RawBuilder<unknown>;

/** A record that was found. */
export interface FoundRecord {
  readonly resource: string;
  readonly id: number;
  readonly title: string;
  readonly key: string | null;
  /** The title of the record that it belongs to. */
  readonly subtitle: string | null;
  readonly matched: 'key' | 'title' | 'text';
}

/** How many of the newest matches of a module are compared with each other. */
const maxCompared = 200;
/** How many of the newest records of a module are looked at first. */
const maxWalked = 1_000;
/** Words that so many of these contain are frequent, and older records are not searched for them. */
const manyFound = 100;
/** More words narrow the result hardly, and cost a lookup each. */
const maxWords = 8;

/**
 * How well a record matches, best first: its key or `#id`, a title that is the text, begins with it, has a word that does,
 * contains it, contains all words; then the texts of the record.
 */
const ranks = { key: 0, same: 1, begins: 2, word: 3, contains: 4, words: 5, text: 6 } as const;

/**
 * Finds records of all modules in the menu, or with a screen for each record, that the caller may list, best first: by key, then title before text; among
 * equals the caller's own first, then those of a company before those that all share, then those that were changed last. One statement, of which each module's part looks at
 * the newest matches; words that are frequent among the newest records are not searched in older ones. Texts that the
 * caller may not read on every record are not searched. `resources` narrows the search to modules of these names; one that
 * does not exist, or that the caller may not list, has no records. `scope` narrows modules that refer to a record to what belongs
 * to it, apart from keys and ids.
 *
 * @example await findRecords(context, 'login time', 20);
 *   // [{ resource: 'tasks', id: 7, title: 'Login takes a long time', key: null, subtitle: 'Website', matched: 'title' }]
 */
export async function findRecords(
  context: RequestContext,
  text: string,
  limit: number,
  { resources, scope }: SearchOptions = {},
): Promise<FoundRecord[]> {
  const { registry, actor, program } = context;
  const searchText = parseSearchText(text);
  if (searchText.words.length === 0) return [];
  const parts = [...registry.definitions.values()]
    .filter(({ name }) => !resources || resources.includes(name))
    .filter((definition) => isSearched(definition) && decideAccess(actor, definition, 'list').allowed)
    .flatMap((definition) => modulePart({ context, definition }, searchText, limit, scope) ?? []);
  if (parts.length === 0) return [];
  const statement = sql`select resource, id, title, key, subtitle,
      case when rank = ${sql.lit(ranks.key)} then 'key' when rank < ${sql.lit(ranks.text)} then 'title' else 'text' end as matched
    from (${sql.join(parts, sql` union all `)}) found
    order by rank, is_own desc, is_shared, updated_at desc, resource, id desc limit ${sql.lit(limit)} ${sql.raw(replanMarker)}`;
  const rows = await program.database.query(statement.compile(program.database.kysely));
  return rows as unknown as FoundRecord[];
}

/** Where records are searched. */
interface SearchOptions {
  readonly resources?: readonly string[];
  readonly scope?: ListScope;
}

interface AskedText {
  /** In lower case, with single spaces. */
  readonly normalisedText: string;
  readonly words: readonly string[];
  /** Of `#142` or `142`. */
  readonly id?: number;
}

function parseSearchText(text: string): AskedText {
  const normalised = normaliseText(text).replace(/\s+/g, ' ').toLowerCase();
  const id = parseId(normalised.replace(/^#/, ''));
  return {
    normalisedText: normalised,
    words: [...new Set(normalised.split(' '))].filter(Boolean).slice(0, maxWords),
    ...(id !== undefined && { id }),
  };
}

/** Users open resources in the menu or with screens; logs are searched on their own screens. */
function isSearched({ menu, list, system }: Definition): boolean {
  return (menu !== null || list.rowClick === 'screen') && list.search && !system;
}

/** The best matches of a module; undefined if the caller may not read the titles of all its records. */
function modulePart(
  { context, definition }: RecordScope,
  searchText: AskedText,
  limit: number,
  listScope: ListScope | undefined,
): Sql | undefined {
  const { registry, actor, evaluationContext } = context;
  const readable = readableFields(actor, definition).always;
  if (!titleFields(definition).every((name) => readable.has(name))) return undefined;
  const conditionSql = (predicate: Predicate) =>
    predicateToSql(predicate, definition, 't', registry, evaluationContext);
  const visible = accessFilter(context, definition, 'list');
  const scopeName = listScope && scopeFilterName(definition, listScope.resource, actor);
  const inScope =
    scopeName === undefined
      ? visible
      : allOf([visible, parseFilter({ context, definition }, scopeName, listScope?.id, false)]);
  const condition = conditionSql(inScope);
  const title = lowerSql(sql`coalesce(${titleSql(definition, 't', registry)}, '')`);
  const isAllReadable = [...searchFields(definition), ...searchedRows(definition)].every(({ name }) =>
    readable.has(name),
  );
  const searchedFields = isAllReadable ? undefined : readable;
  const containsBy = (strategy?: SearchStrategy) =>
    sql.join(
      searchText.words.map((word) =>
        searchCondition(definition, 't', registry, createSearchTerm(word, strategy), searchedFields),
      ),
      sql` and `,
    );
  const inTitle = searchText.words.map((word) => sql`${title} like ${likePattern(word)}::text`);
  const key = Object.values(definition.fields).find((field) => isSequence(field) && readable.has(field.name));
  const exact = [
    ...(searchText.id === undefined ? [] : [sql`t.id = ${sql.lit(searchText.id)}`]),
    ...(key ? [sql`lower(${sql.id('t', key.name)}) = ${searchText.normalisedText}::text`] : []),
  ];
  const table = sql`${sql.id('public', definition.table)} t`;
  const fromClause = sql`from ${table} where ${condition}`;
  const ofCompany =
    definition.fields.site_id && actor.site_id !== null ? sql`t.site_id = ${sql.lit(actor.site_id)}` : sql`true`;
  // Frequent words are found among the newest records, so that not all records with them have to be read.
  const newest = sql`select t.* from (select * from ${table} where ${ofCompany} order by t.id desc limit ${sql.lit(maxWalked)}) t
    where ${condition} and ${containsBy('walk')}`;
  const rest = sql`${fromClause} and (select count(*) from newest) < ${sql.lit(manyFound)} and ${containsBy()}`;
  // Titles apart from texts, so that a title is found however many newer records have the words somewhere.
  const candidates = [
    ...exact.map(
      (match) => sql`(select t.* from ${table} where ${conditionSql(visible)} and ${match} limit ${sql.lit(limit)})`,
    ),
    sql`(select * from newest)`,
    sql`(select t.* ${rest} and ${sql.join(inTitle, sql` and `)} order by t.id desc limit ${sql.lit(maxCompared)})`,
    sql`(select t.* ${rest} order by t.id desc limit ${sql.lit(maxCompared)})`,
  ];
  const isExact = exact.length === 0 ? sql`false` : sql`coalesce((${sql.join(exact, sql` or `)}), false)`;
  const isOwn = readable.has('created_by') ? sql`coalesce(t.created_by = ${sql.lit(actor.id)}, false)` : sql`false`;
  // Such as the options of a field: whoever types a word means what their company has done with it.
  const isShared = definition.fields.site_id ? sql`(t.site_id is null)` : sql`true`;
  const subtitle = subtitleSql(context, definition, readable);
  const ranked = sql`case when ${isExact} then ${sql.lit(ranks.key)}
    when ${title} = ${searchText.normalisedText}::text then ${sql.lit(ranks.same)}
    when starts_with(${title}, ${searchText.normalisedText}::text) then ${sql.lit(ranks.begins)}
    when strpos(' ' || ${title}, ${` ${searchText.normalisedText}`}::text) > 0 then ${sql.lit(ranks.word)}
    when strpos(${title}, ${searchText.normalisedText}::text) > 0 then ${sql.lit(ranks.contains)}
    when ${sql.join(inTitle, sql` and `)} then ${sql.lit(ranks.words)} else ${sql.lit(ranks.text)} end`;
  return sql`(with newest as materialized (${newest})
    select ${literal(definition.name)}::text as resource, t.id,
      coalesce(nullif(${visibleTitleSql(actor, definition, 't', registry)}, ''), '#' || t.id) as title,
      ${key ? sql.id('t', key.name) : sql`null::text`} as key, ${subtitle} as subtitle, t."rank$" as rank, t."own$" as is_own,
      ${isShared} as is_shared, t.updated_at
    from (select distinct on (t.id) t.*, ${ranked} as "rank$", ${isOwn} as "own$"
      from (${sql.join(candidates, sql` union all `)}) t order by t.id) t
    order by t."rank$", t."own$" desc, is_shared, t.updated_at desc, t.id desc limit ${sql.lit(limit)})`;
}

/** The title of the record that one belongs to: of the first relation that must have a value, and is no person. */
function subtitleSql(context: RequestContext, definition: Definition, readable: ReadonlySet<string>): Sql {
  const { registry, evaluationContext, actor } = context;
  const nullText = sql`null::text`;
  const isOwner = (field: Field) =>
    isRelation(field) &&
    field.required &&
    !field.system &&
    registry.getOrThrow(field.to).chip?.shape !== 'avatar' &&
    readable.has(field.name);
  const field = Object.values(definition.fields).find(isOwner);
  if (!field || !isRelation(field)) return nullText;
  const target = registry.getOrThrow(field.to);
  const visible = accessFilterIfGranted(context, target, 'list', { archived: 'any' });
  const isReadable = titleFields(target).every((name) => readableFields(actor, target).always.has(name));
  if (!visible || !isReadable) return nullText;
  return sql`(select ${visibleTitleSql(actor, target, 's', registry)} from ${sql.id('public', target.table)} s
    where s.id = ${sql.id('t', field.name)} and ${predicateToSql(visible, target, 's', registry, evaluationContext)})`;
}
