import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../../engine/conditions/grammar';
import type { Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';
import { columnTypeOf, storedTypeOf } from '../../../engine/field-types';
import { choiceOrder } from '../../../engine/lists/choice-order';
import { hasMeaningfulOrder, type RelevanceReason, relevanceOf } from '../../../engine/lists/relevance';
import { titleSql, visibleTitleSql, likePattern, lowerSql, textSql } from '../../sql/operands';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { createSearchTerm, searchCondition, searchFields, type SearchTerm } from '../../sql/search';
import { replanMarker } from '../../database/statements';
import type { Page } from '../read/list';
import type { Range } from '../read/query/list-query';
import {
  audienceKey,
  bind,
  cachedStatement,
  conditionKey,
  Placeholder,
  type RecordParameters,
} from '../read/statement-cache';
import { queryCacheOf } from '../../sql/query-cache';
import { decideAccess } from '../../../engine/access/access-decision';
import { readableFields } from '../../access/access-filter';
import type { RecordScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { pairTable } from '../../database/identifiers';
import { isAmong } from '../../sql/same-company';
import { templateFields } from '../../../engine/definitions/labels';
import { isRelation, parseId } from '../../../engine/field-types/relation';
import { isRelations } from '../../../engine/field-types/relations';
import type { Row } from '../../database/database';
import { itemAt } from '../../../engine/values/lookups';
import { fieldOf } from '../../../engine/definitions/accessors';

type Sql = RawBuilder<unknown>;

/** Rows that come first for one reason. */
export interface NearRows {
  readonly near: RelevanceReason;
  /** The field by which they are found; none for those with certain ids. */
  readonly by: string | null;
  /** Selects the rows `t`. */
  readonly where: () => Sql;
  /** Numbers to sort by; without it the newest come first. */
  readonly order?: () => Sql;
  /** Of the placeholders. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** A further condition on the rows `t` that may be chosen. */
export interface ChoiceCondition {
  /** Says which one it is. */
  readonly name: string;
  readonly build: () => Sql;
  /** Of its placeholders. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** A query for choices. */
export interface ChoiceQuery {
  readonly target: Definition;
  readonly registry: Registry;
  /** Selects the rows that may be chosen. */
  readonly where: Predicate;
  /** The values of parameters of `where` that are about a record. */
  readonly recordParameters?: RecordParameters;
  readonly conditions?: readonly ChoiceCondition[];
  /** The caller may read the title, so it is shown, searched and sorted by. */
  readonly isTitleReadable: boolean;
  /** The fields with keys of the records that the caller may read: a record is found by its key too. */
  readonly keys: readonly Field[];
  readonly search?: string;
  /** Rows that come first, by reason, most important first; a row appears once. */
  readonly near: readonly NearRows[];
  readonly detail: ChoiceDetail;
  /** The field by which transitions name the records. */
  readonly state?: string;
  /** Deleted records are among them, and are marked. */
  readonly marksDeleted?: boolean;
  readonly range: Range;
}

/** The maximum number of rows that come first for one reason. */
const maxNearRows = 10;

/**
 * Loads a page of choices: `id`, `title`, why it is `near`, and the `detail` that distinguishes it from others with the
 * same title. One statement, plus one to count if the page does not reach the end.
 */
export async function loadChoicePage(context: RequestContext, query: ChoiceQuery): Promise<Page> {
  const { target, registry, detail, range, recordParameters } = query;
  const { limit, offset } = range;
  const { database } = context.program;
  const planning = sql.raw(query.search === undefined ? '' : replanMarker);
  const shape = choiceKey(context, query);
  const values = choiceValues(query);
  const build = (make: (offer: Offer) => Sql) => () => {
    const offer = { ...query, matches: matchesSql(context, query), search: searchShape(query) };
    return sql`${make(offer)} ${planning}`;
  };
  const page = cachedStatement(context, `choices|${shape}`, build(pageSql), recordParameters);
  const rows = await database.query(bind(page, values));
  const records = formatChoices(rows, detail, query.state !== undefined);
  if (records.length < limit && (records.length > 0 || offset === 0))
    return { records, offset, total: offset + records.length };
  const buildCount = build(({ matches, search, ...offer }) => {
    const condition = search ? sql`${matches} and ${matchesSearchSql({ ...offer, matches, search }, search)}` : matches;
    return sql`select count(*)::integer as total from ${tableSql(target)} t where ${condition}`;
  });
  const count = bind(cachedStatement(context, `choice count|${shape}`, buildCount, recordParameters), values);
  return { records, offset, total: await queryCacheOf(database).count(count, registry) };
}

/** A query while its statement is made. */
interface Offer extends Omit<ChoiceQuery, 'where' | 'search'> {
  /** Selects the rows `t` that may be chosen. */
  readonly matches: Sql;
  readonly search: SearchShape | undefined;
}

/** The properties of a search text that the statement depends on; the text itself is a value. */
interface SearchShape {
  /** The text is a number, so it may be an id. */
  readonly isNumber: boolean;
  readonly term: SearchTerm;
  /** The part of it that the search index can find. */
  readonly part: SearchTerm | undefined;
}

/** Identifies everything that the statements of a query depend on. */
function choiceKey(context: RequestContext, query: ChoiceQuery): string {
  const {
    target,
    where: filter,
    conditions = [],
    near: nearGroups,
    detail,
    state,
    marksDeleted,
    keys,
    isTitleReadable,
  } = query;
  const search = searchShape(query);
  const termKey = (term: SearchTerm | undefined) => term && [term.strategy, term.isMultiline];
  const parts = [
    conditions.map(({ name }) => name),
    nearGroups.map((group) => [group.near, group.by]),
    [detail.alwaysShown, ...detail.fields.map(({ field }) => field.name)],
    [state, isTitleReadable, marksDeleted, ...keys.map(({ name }) => name)],
    search && [search.isNumber, termKey(search.term), termKey(search.part)],
  ];
  return `${audienceKey(context)}|${JSON.stringify(parts)}|${conditionKey(context, target, filter)}`;
}

/** The values of a query's placeholders. */
function choiceValues(query: ChoiceQuery): Record<string, unknown> {
  const { range, near: nearGroups, conditions = [], search } = query;
  return {
    limit: range.limit,
    offset: range.offset,
    needed: rowsNeeded(query),
    ...Object.assign({}, ...[...nearGroups, ...conditions].map(({ values }) => values)),
    ...(search !== undefined && searchValues(query.target, search)),
  };
}

function searchValues(target: Definition, text: string): Record<string, unknown> {
  const lowerText = text.toLowerCase();
  const part = indexedPart(target, text);
  return {
    id: parseIdSearch(text),
    text: lowerText,
    pattern: likePattern(text),
    'starting pattern': likePattern(text).slice(1),
    'word pattern': `(^|[^[:alnum:]])${escapeRegExp(lowerText)}`,
    'end of texts': `${lowerText}\uffff`,
    ...(part !== undefined && { 'part text': part.toLowerCase(), 'part pattern': likePattern(part) }),
  };
}

function searchShape({ search, target }: ChoiceQuery): SearchShape | undefined {
  if (search === undefined) return undefined;
  const term = (text: string, prefix = '') => ({
    ...createSearchTerm(text),
    text: new Placeholder(`${prefix}text`),
    pattern: new Placeholder(`${prefix}pattern`),
  });
  const part = indexedPart(target, search);
  return {
    isNumber: parseIdSearch(search) !== undefined,
    term: term(search),
    part: part === undefined ? undefined : term(part, 'part '),
  };
}

function matchesSql(
  { evaluationContext }: RequestContext,
  { where: filter, target, registry, conditions = [] }: ChoiceQuery,
): Sql {
  const predicates = [
    predicateToSql(filter, target, 't', registry, evaluationContext),
    ...conditions.map((condition) => condition.build()),
  ];
  return sql.join(predicates, sql` and `);
}

function pageSql(offer: Offer): Sql {
  const { target, detail, search } = offer;
  const title = sql`coalesce(${choiceTitleSql(offer)}, '#' || t.id)`;
  const sameTitleCount = detail.alwaysShown
    ? sql`2`
    : sql`count(*) over (partition by regexp_replace(${lowerSql(title)}, '[[:space:]]', '', 'g'))`;
  return sql`with ${search ? bestMatchesSql(offer, search) : nearFirstSql(offer)}, page as (
      select o.*, ${title} as title, ${sameTitleCount} as alike from offered o join ${tableSql(target)} t on t.id = o.id
      order by ${choiceOrderSql(offer, 'o')} limit ${new Placeholder('limit')}::bigint offset ${new Placeholder('offset')}::bigint
    )
    select page.id, page.title, ${offer.state === undefined ? sql`` : sql`t.${sql.id(offer.state)} as state, `}${offer.marksDeleted ? sql`t.deleted_at is not null as deleted, ` : sql``}(array[${reasonNames(offer)}]::text[])[page.reason] as near,
      case when page.alike > 1 then ${detailSql(detail, 't')} end as detail
    from page join ${tableSql(target)} t on t.id = page.id order by ${choiceOrderSql(offer, 'page')}`;
}

function choiceOrderSql(offer: Offer, alias: string): Sql {
  const { direction, isText } = targetOrder(offer);
  const last = sql`${sql.id(alias, 'last')}${isText ? sql` collate "und-x-icu"` : sql``}`;
  return sql`${sql.id(alias, 'reason')}, ${sql.id(alias, 'place')}, ${last} ${direction}, ${sql.id(alias, 'id')}`;
}

/** The names of the reasons by their numbers, starting at 1. */
function reasonNames({ near: nearGroups, search }: Offer): Sql {
  return !search && nearGroups.length > 0 ? sql.join(nearGroups.map((group) => sql.lit(group.near))) : sql``;
}

/** First the near rows, then the others in their order, only as many as the page and the row after it need. */
function nearFirstSql(offer: Offer): Sql {
  const { target, matches, near: nearGroups } = offer;
  const { expression, direction } = targetOrder(offer);
  const rest = (
    and: Sql,
  ) => sql`select t.id, ${sql.lit(nearGroups.length + 1)}::integer as reason, 0 as place, ${expression} as last
    from ${tableSql(target)} t where ${matches}${and} order by ${expression} ${direction}, t.id limit ${neededSlot()}`;
  if (nearGroups.length === 0) return sql`offered as (${rest(sql``)})`;
  const branches = nearGroups.map(
    (group, index) => sql`(select t.id, ${sql.lit(index + 1)} as reason, ${group.order?.() ?? sql`-t.id`} as place
      from ${tableSql(target)} t where ${matches} and ${group.where()}
      order by ${group.order?.() ?? sql`t.id desc`} limit ${sql.lit(maxNearRows)})`,
  );
  return sql`near as materialized (
      select distinct on (id) id, reason, place from (${sql.join(branches, sql` union all `)}) n order by id, reason, place
    ), rest as (${rest(sql` and t.id <> all(array(select id from near))`)}),
    offered as (select id, reason, place, null as last from near union all select * from rest)`;
}

/**
 * Search results: the record with that number, keys that start with the text, titles that start with the text, titles with a word that starts with it,
 * then the others. Later groups are only searched while there is space on the page.
 */
function bestMatchesSql(offer: Offer, search: SearchShape): Sql {
  const { target, matches } = offer;
  const { expression, direction } = targetOrder(offer);
  const selectTier = (
    and: Sql,
    tierIndex: number,
  ) => sql`select t.id, 1 as reason, ${sql.lit(tierIndex)} as place, ${expression} as last
    from ${tableSql(target)} t where ${matches} and ${and} order by ${expression} ${direction}, t.id limit ${neededSlot()}`;
  if (hasMeaningfulOrder(target) || !offer.isTitleReadable)
    return sql`offered as (${selectTier(matchesSearchSql(offer, search), 0)})`;
  const numberOrKeyMatch = matchesNumberOrKeySql(offer, search);
  const numberOrKeyMismatch = numberOrKeyMatch ? sql`not ${numberOrKeyMatch}` : sql`true`;
  const titleMatch = sql`${numberOrKeyMismatch} and ${titleContainsSql(offer, search)}`;
  const collatedTitle = collatedTitleColumn(offer.target);
  const prefixMatch = titleStartsWithSql(offer, collatedTitle);
  const word = sql`${lowerSql(choiceTitleSql(offer))} ~ ${new Placeholder('word pattern')}::text`;
  const tiers = [
    numberOrKeyMatch ?? sql`false`,
    // Uses only the index of that order: the search index would find too many rows if many titles start with the text.
    sql`${collatedTitle ? numberOrKeyMismatch : titleMatch} and ${prefixMatch}`,
    sql`${titleMatch} and not (${prefixMatch}) and ${word}`,
    sql`${titleMatch} and not (${prefixMatch}) and not (${word})`,
  ];
  const names = tiers.map((_, tierIndex) => sql.id(`best${tierIndex}`));
  const ctes = tiers.map((tier, tierIndex) => {
    const precedingCounts = names.slice(0, tierIndex).map((name) => sql`(select count(*) from ${name})`);
    const left = sql.join([sql`${new Placeholder('needed')}::bigint`, ...precedingCounts], sql` - `);
    return sql`${itemAt(names, tierIndex)} as materialized (select * from (${selectTier(tier, tierIndex)}) f limit greatest(${left}, 0))`;
  });
  const tierSelects = names.map((name) => sql`select * from ${name}`);
  return sql`${sql.join(ctes)}, offered as (${sql.join(tierSelects, sql` union all `)})`;
}

/** Matches rows whose title contains the text, whose id it is, or whose key starts with it. */
function matchesSearchSql(offer: Offer, search: SearchShape): Sql {
  const numberOrKeyMatch = matchesNumberOrKeySql(offer, search);
  const titleMatch = offer.isTitleReadable ? titleContainsSql(offer, search) : sql`false`;
  return numberOrKeyMatch ? sql`((${titleMatch}) or ${numberOrKeyMatch})` : titleMatch;
}

/** Matches the row whose id is the text, and those whose key starts with it; undefined if no row can. Never null. */
function matchesNumberOrKeySql({ target, registry, keys }: Offer, { isNumber, term }: SearchShape): Sql | undefined {
  const starts = keys.map(({ name }) => {
    const prefixMatch = sql`coalesce(${lowerSql(sql.id('t', name))} like ${startingPattern()}, false)`;
    const isSearched = searchFields(target).some((field) => field.name === name);
    return isSearched ? sql`(${searchCondition(target, 't', registry, term)} and ${prefixMatch})` : prefixMatch;
  });
  const alternatives = [...(isNumber ? [sql`t.id = ${new Placeholder('id')}::bigint`] : []), ...starts];
  return alternatives.length === 0 ? undefined : sql`(${sql.join(alternatives, sql` or `)})`;
}

/** Whether the title contains a text. The part of it that the index can tell is checked first. */
function titleContainsSql(offer: Offer, { part }: SearchShape): Sql {
  const { target, registry } = offer;
  const titleMatch = sql`${lowerSql(choiceTitleSql(offer))} like ${new Placeholder('pattern')}::text`;
  return part === undefined ? titleMatch : sql`${searchCondition(target, 't', registry, part)} and ${titleMatch}`;
}

const startingPattern = () => sql`${new Placeholder('starting pattern')}::text`;
const neededSlot = () => sql`${new Placeholder('needed')}::bigint`;

/**
 * The part of a text that one of the indexed search texts contains wherever the title contains the whole; undefined if
 * there is none. A title of several fields, such as `{key} {name}`, may contain a text that none of them contains: then
 * its longest word must be in one of them, if there is nothing but space between the fields.
 */
function indexedPart(target: Definition, text: string): string | undefined {
  const { recordTitle, titleField } = target;
  const searched = new Set(searchFields(target).map(({ name }) => name));
  if (recordTitle === `{${titleField}}`) return searched.has(titleField) ? text : undefined;
  const isOnlySpaced = /^\{[^{}]+\}(\s+\{[^{}]+\})*$/.test(recordTitle);
  if (!isOnlySpaced || !templateFields(recordTitle).every((name) => searched.has(name))) return undefined;
  const words = text.split(/\s+/).sort((a, b) => b.length - a.length);
  return words[0] || undefined;
}

/**
 * Whether the title starts with a text. In collation order all such titles are between the text and the text followed
 * by the highest character, so an index in this order finds them.
 */
function titleStartsWithSql(offer: Offer, collatedTitle: Sql | undefined): Sql {
  const prefixMatch = sql`${lowerSql(choiceTitleSql(offer))} like ${startingPattern()}`;
  if (!collatedTitle) return prefixMatch;
  const [first, last] = [new Placeholder('text'), new Placeholder('end of texts')];
  return sql`${collatedTitle} >= ${first}::text and ${collatedTitle} < ${last}::text and ${prefixMatch}`;
}

/** The title column in collation order; undefined if the title is made of several parts. */
function collatedTitleColumn({ fields, titleField, recordTitle }: Definition): Sql | undefined {
  const field = fields[titleField];
  if (recordTitle !== `{${titleField}}` || !field || columnTypeOf(field) !== 'text') return undefined;
  return sql`${sql.id('t', titleField)} collate "und-x-icu"`;
}

/** `12` and `#12` also find the record with that id. */
function parseIdSearch(text: string): number | undefined {
  return parseId(text.replace(/^#/, ''));
}

/** Escapes a text for use in a regular expression. */
function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The target's own order if it has one, else by title. */
function targetOrder(offer: Offer): { expression: Sql; direction: Sql; isText: boolean } {
  const { target, isTitleReadable } = offer;
  const { field: name, order } = choiceOrder(target);
  const field = target.fields[name];
  const direction = sql.raw(order === 'DESC' ? 'desc' : 'asc');
  const column = field && field.computed === undefined && name !== target.titleField ? columnTypeOf(field) : null;
  if (column === null && !isTitleReadable) return { expression: sql`t.id`, direction, isText: false };
  if (column === null)
    return { expression: sql`(${choiceTitleSql(offer)}) collate "und-x-icu"`, direction, isText: true };
  const isText = column === 'text';
  const value = sql.id('t', name);
  return { expression: isText ? sql`${value} collate "und-x-icu"` : sql`${value}`, direction, isText };
}

function choiceTitleSql({ target, registry, isTitleReadable }: Offer): Sql {
  return isTitleReadable ? titleSql(target, 't', registry) : sql`null::text`;
}

/** Includes the row after the page: it may look the same as the page's last one. */
function rowsNeeded({ range }: ChoiceQuery): number {
  return range.offset + range.limit + 1;
}

function tableSql({ table }: Definition): Sql {
  return sql.id('public', table);
}

/** The maximum number of recent ids in a query. */
export const maxRecentIds = 20;

/** The field being edited, its definition, and the other values of its record. */
interface EditedField {
  readonly definition: Definition;
  readonly field: Field;
  readonly form: ResourceRecord;
}

/**
 * The rows of `target` that should come first for the caller: those that share a relation with the current record, the
 * caller's own, and those chosen recently (`recent`, newest first). Uses only fields that the caller may read on every
 * record, so that the order reveals nothing hidden.
 */
export function nearRows(
  { context, definition: target }: RecordScope,
  recent: readonly number[],
  editedField?: EditedField,
): readonly NearRows[] {
  const { actor, registry } = context;
  const nearness = relevanceOf(registry, target, editedField);
  if (!nearness) return [];
  const readable = readableFields(actor, target).always;
  const isListed = decideAccess(actor, target, 'list').allowed;
  const sharedFields = nearness.shared.flatMap(({ own: formFields, theirs: targetFields }) => {
    const ids = formFields.map((name) => editedField?.form[name]).filter((id) => typeof id === 'number');
    if (ids.length === 0 || !isListed) return [];
    return targetFields.filter((name) => readable.has(name)).map((name) => ({ name, ids }));
  });
  return [
    ...sharedFields.map(({ name, ids }) => ({
      near: 'shared' as const,
      by: name,
      where: () => sql`${sql.id('t', name)} = any(${new Placeholder(`shared ${name}`)}::bigint[])`,
      values: { [`shared ${name}`]: ids },
    })),
    ...nearness.yours
      .filter((name) => readable.has(name))
      .map((name) => ({
        near: 'yours' as const,
        by: name,
        where: () => belongsToSql(target, fieldOf(target, name)),
        values: { person: actor.id },
      })),
    ...(recent.length > 0
      ? [
          {
            near: 'recent' as const,
            by: null,
            where: () => sql`t.id = any(${new Placeholder('recent')}::bigint[])`,
            order: () => sql`array_position(${new Placeholder('recent')}::bigint[], t.id)`,
            values: { recent },
          },
        ]
      : []),
  ];
}

/** Matches rows `t` whose field is the placeholder `person`. */
function belongsToSql(target: Definition, field: Field) {
  const person = sql`${new Placeholder('person')}::bigint`;
  if (!isRelations(field)) return sql`${sql.id('t', field.name)} = ${person}`;
  const pairs = sql`from ${sql.id('public', pairTable(target, field))} p where p.target_id = ${person}`;
  return isAmong(target, 't', 'p', 'record_id', pairs);
}

/** The details shown beside a record's title. */
export interface ChoiceDetail {
  readonly fields: readonly { readonly field: Field; readonly text: (alias: string) => RawBuilder<unknown> }[];
  /** Shown for every record, not only for those with the same title. */
  readonly alwaysShown: boolean;
}

/**
 * The fields that tell records of `target` apart for a caller: those named by its definition that the caller may read,
 * without those that are `same` for all choices. A caller without a grant on the target sees only what records embed of
 * it (`embedded`).
 */
export function choiceDetailOf(
  context: RequestContext,
  target: Definition,
  { same: sharedNames = [], embedded = [] }: { same?: readonly string[]; embedded?: readonly string[] } = {},
): ChoiceDetail {
  const { actor } = context;
  const readable = readableFields(actor, target).always;
  const isListed = decideAccess(actor, target, 'list').allowed;
  const { detail, alwaysShowDetail } = target.choices;
  const names = detail.filter((name) => {
    return (
      name === 'id' || (readable.has(name) && !sharedNames.includes(name) && (isListed || embedded.includes(name)))
    );
  });
  const fields = (names.length > 0 ? names : ['id']).flatMap((name) => {
    const field = fieldOf(target, name);
    const text = fieldText(context, field);
    return text ? [{ field, text }] : [];
  });
  return { fields, alwaysShown: alwaysShowDetail };
}

/** A field's value as text; for a relation, the title of the related record if the caller may read it. */
function fieldText(context: RequestContext, field: Field): ((alias: string) => RawBuilder<unknown>) | undefined {
  if (!isRelation(field)) {
    const columnType = storedTypeOf(field);
    return (alias) => textSql({ sql: sql.id(alias, field.name), columnType });
  }
  const target = context.registry.getOrThrow(field.to);
  const readable = readableFields(context.actor, target, 'view').always;
  const isOpen = templateFields(target.recordTitle).every((path) => {
    const [name] = path.split('.') as [string];
    return (
      readable.has(name) ||
      Object.values(target.fields).some((targetField) => targetField.embed === name && readable.has(targetField.name))
    );
  });
  if (!isOpen) return undefined;
  return (alias) => sql`(select coalesce(${visibleTitleSql(context.actor, target, 'd', context.registry)}, '#' || d.id)
    from ${sql.id('public', target.table)} d where d.id = ${sql.id(alias, field.name)})`;
}

/** The detail texts of the row `alias`, as an array. */
function detailSql({ fields }: ChoiceDetail, alias: string): RawBuilder<unknown> {
  return sql`array[${sql.join(fields.map(({ text }) => text(alias)))}]::text[]`;
}

/** Is shown beside the titles of deleted records. */
const deletedDetail = 'Deleted';

/** Formats choices with their details as one text, adding the id where choices would still look the same. */
function formatChoices(
  rows: readonly Row[],
  { fields, alwaysShown }: ChoiceDetail,
  withStates: boolean,
): ResourceRecord[] {
  const choices = rows.map(({ id, title, state, deleted, near: nearReason, detail }) => ({
    id: id as number,
    title: title as string,
    ...(withStates && state !== null && { state }),
    ...(deleted === true && { deleted: true }),
    ...(nearReason !== null && { near: nearReason }),
    detail:
      detail === null && !deleted
        ? undefined
        : formatDetail(fields, detail as (string | null)[] | null, deleted === true),
  }));
  const isNumbered = fields.some(({ field }) => field.name === 'id');
  const choiceCounts = new Map<string, number>();
  const keyOf = ({ title, detail }: (typeof choices)[number]) => `${title.toLowerCase().replace(/\s/g, '')}\0${detail}`;
  for (const choice of choices) choiceCounts.set(keyOf(choice), (choiceCounts.get(keyOf(choice)) ?? 0) + 1);
  return choices.map(({ detail, ...choice }) => {
    if (detail === undefined) return choice;
    const isUnique =
      isNumbered || (choiceCounts.get(keyOf({ ...choice, detail })) === 1 && (alwaysShown || detail !== ''));
    const text = isUnique ? detail : [detail, `#${choice.id}`].filter(Boolean).join(' · ');
    return text === '' ? choice : { ...choice, detail: text };
  });
}

function formatDetail(
  fields: ChoiceDetail['fields'],
  values: readonly (string | null)[] | null,
  isDeleted: boolean,
): string {
  const texts = (values ?? []).map((value, index) => {
    if (value === null || value === '') return '';
    const { field } = itemAt(fields, index);
    if (field.name === 'id') return `#${value}`;
    return field.options?.find((option) => String(option.value) === value)?.label ?? value;
  });
  return [...texts, isDeleted ? deletedDetail : ''].filter((text) => text !== '').join(' · ');
}
