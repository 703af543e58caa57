import { Level } from '../../engine/definitions/level';
import { sql } from 'kysely';
import type { Actor } from '../../engine/access/actor';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { describeChanges } from '../../engine/history/change-words';
import { differenceOf } from '../../engine/history/difference';
import { fieldChangesOf, type HistoryEntry } from '../../engine/history/field-changes';
import { writeFor, type Reader } from '../../engine/formats/personal';
import { readableFields } from '../access/access-filter';
import type { TransactionScope } from '../access/record-scope';
import { RequestContext } from '../access/request-context';
import { loadReaders } from '../accounts/profile/readers-formats';
import { runStatement, type Transaction } from '../database/database';
import { loadChosenChannels } from '../notifications/chosen-channels';
import { channelOf, type Channel } from '../notifications/kinds';
import { sendNotifications, type NotificationEvent } from '../notifications/send-notifications';
import type { Program } from '../program';
import { mayReadTitle } from '../records/choices/choices';
import { loadHistoryTitles, type HistoryTitles } from '../records/history/history';
import { loadTitles } from '../records/read/titles';
import { bind, fixedStatement, Placeholder } from '../records/read/statement-cache';
import { titleSql } from '../sql/operands';
import { loadColleagues, mayViewRowSql } from './readers';
import { firstOf } from '../../engine/values/lookups';
import { companyKeySql } from '../sql/company-key';

/** An entry of the history of a record that somebody watches. */
export interface WatchedChange {
  readonly id: number;
  /** The company of the record; 0 if it has none. The changes that are told of together are all of one. */
  readonly site_id: number;
  readonly record_id: number;
  readonly event: string;
  readonly old_values: ResourceRecord | null;
  readonly new_values: ResourceRecord | null;
  readonly created_at: string;
  /** The number of the transaction that made it. */
  readonly made_in: string;
}

/** A record that somebody watches and may view. */
interface Watched {
  readonly person: Actor;
  readonly record: WatchedRecord;
}

interface WatchedRecord {
  readonly id: number;
  readonly company: number | null;
  readonly title: string | null;
}

const changeOccasion = 'record_changed';
/** The most people of one company who are told at once. */
const maxTold = 1_000;
/** Of more records, somebody is told in one notification for all. */
const maxSingly = 5;
/** How many records such a notification names. */
const maxNamed = 10;

/**
 * Tells those who chose to watch records of a module what one author, null for the program, changed in them: only the
 * fields that each may read, of records that they may view now. Users are not told of what they did themselves, nor of a
 * change of which the same transaction told them otherwise: that something was assigned to them. A notification
 * that is not read yet is continued, and one tells of many records. A constant number of statements.
 */
export async function tellOfChanges(
  program: Program,
  definition: Definition,
  author: number | null,
  changes: readonly WatchedChange[],
  trx: Transaction,
): Promise<void> {
  const records = [...new Set(changes.map((change) => change.record_id))];
  const watchedRecords = await loadWatched(program, definition, author, records, trx);
  const wantedRecords = await withoutUntold(program, watchedRecords, trx);
  if (wantedRecords.length === 0) return;
  const newsList = await newsOf(definition, author, changes, wantedRecords, trx);
  const words = await loadWords(program, definition, author, newsList, trx);
  const toldNews = newsList.filter((newsItem) => words.of(newsItem) !== '');
  const events = groupByPerson(toldNews).flatMap((personNews) =>
    isToldTogether(personNews)
      ? [eventOfMany(definition, personNews, words)]
      : personNews.map((newsItem) => eventOfOne(definition, author, newsItem, words)),
  );
  await sendNotifications(program, trx, ...events);
}

/** Groups records by the person who watches them, in the order of the records. */
export function groupByPerson<One extends Watched>(watchedRecords: readonly One[]): One[][] {
  const groups = new Map<number, One[]>();
  for (const watchedRecord of watchedRecords)
    groups.set(watchedRecord.person.id, [...(groups.get(watchedRecord.person.id) ?? []), watchedRecord]);
  return [...groups.values()];
}

/** Whether one person is told of these in one notification. */
export const isToldTogether = (personRecords: readonly Watched[]): boolean => personRecords.length > maxSingly;

/** The given records with those who chose to watch them and may view them, without one person. */
export async function loadWatched(
  program: Program,
  definition: Definition,
  ignoredUser: number | null,
  records: readonly number[],
  trx: Transaction,
): Promise<Watched[]> {
  const registry = program.definitions.registry();
  const chosenSql = (ids: unknown, person: unknown) => sql`assay.watches w where w.site_id = any(array(
      select distinct ${companyKeySql(definition, 'c')} from ${sql.id('public', definition.table)} c where c.id = any(${ids}::bigint[])))
    and w.resource = ${definition.name} and w.record_id = any(${ids}::bigint[]) and w.state = 'watching' and w.user_id is distinct from ${person}::bigint`;
  const plan = fixedStatement(definition, 'companies that watch', trx, () => {
    const channelSql = chosenSql(new Placeholder('records'), new Placeholder('without'));
    return sql`select t.site_id as company, array_agg(distinct w.user_id) as ids
      from ${sql.id('public', definition.table)} t
        join (select w.site_id, w.record_id, w.user_id from ${channelSql}) w on w.site_id = ${companyKeySql(definition, 't')} and w.record_id = t.id
      group by 1`;
  });
  const companies = await runStatement<{ company: number | null; ids: number[] }>(
    trx,
    bind(plan, { records, without: ignoredUser }),
  );
  const watchersSql = chosenSql(records, ignoredUser);
  const watchedRecords: Watched[] = [];
  // Nearly always one: somebody changes records of their own company.
  for (const { company, ids } of companies) {
    const people = await loadColleagues(trx, company, sql`u.id = any(${ids}::bigint[])`, {
      limit: maxTold,
      administrators: true,
    });
    if (people.length === 0) continue;
    const { rows } = await sql<{ id: number; user_id: number; title: string | null }>`select t.id, w.user_id,
        ${titleSql(definition, 't', registry)}::text as title
      from ${sql.id('public', definition.table)} t join (select w.site_id, w.record_id, w.user_id from ${watchersSql}) w
        on w.site_id = ${companyKeySql(definition, 't')} and w.record_id = t.id
      where t.site_id is not distinct from ${company}::bigint
        and ${mayViewRowSql(program, definition, people, sql`w.user_id`)}
      order by t.id, w.user_id`.execute(trx);
    const byId = new Map(people.map((person) => [person.id, person]));
    for (const { id, user_id: user, title } of rows)
      watchedRecords.push({ person: byId.get(user)!, record: { id, company, title } });
  }
  return watchedRecords;
}

/** Without those who do not want to be told of changes at all; with how the others are told. */
async function withoutUntold(program: Program, watchedRecords: readonly Watched[], trx: Transaction) {
  const chosenChannels = await loadChosenChannels(
    trx,
    watchedRecords.map(({ person }) => person.id),
  );
  return watchedRecords.flatMap((watchedRecord) => {
    const channel = channelOf(program.product, changeOccasion, chosenChannels.get(watchedRecord.person.id));
    return channel === 'none' ? [] : [{ ...watchedRecord, channel }];
  });
}

/** The changes of a record that one person is told of. */
interface News extends Watched {
  /** Oldest first. */
  readonly changes: readonly WatchedChange[];
  /** The unread notification that it continues. */
  readonly replacedNotice?: number;
  /** With those of which that notification has told before. */
  readonly allChanges: readonly WatchedChange[];
}

/** A notification of changes, or of something else in the record, that somebody has. */
interface StoredNotice {
  readonly id: number;
  readonly user_id: number;
  readonly link: string;
  readonly made_in: string | null;
  /** Set if it tells of changes of the same author and is unread. */
  readonly from: number | null;
  readonly in_digest: boolean;
}

const linkOf = ({ name }: Definition, id: number) => `/${name}/${id}`;

/** The changes that each person has not been told of: from the start of an unread notification of the same author on. */
async function newsOf(
  definition: Definition,
  author: number | null,
  changes: readonly WatchedChange[],
  watchedRecords: readonly (Watched & { readonly channel: Channel })[],
  trx: Transaction,
): Promise<News[]> {
  const links = [...new Set(watchedRecords.map(({ record }) => linkOf(definition, record.id)))];
  const userIds = [...new Set(watchedRecords.map(({ person }) => person.id))];
  const { site_id: site } = firstOf(changes);
  const transactionIds = [...new Set(changes.map((change) => change.made_in))];
  const { rows: notices } = await sql<StoredNotice>`select n.id, n.user_id, n.link, n.made_in::text, n.in_digest,
      case when n.occasion = ${changeOccasion} and n.read_at is null and n.changed_by is not distinct from ${author}::bigint
        and h.created_at > now() - interval '1 day' then h.id::float8 end as "from"
    from assay.notifications n left join assay.history h on h.site_id = ${site} and h.id = n.changes_from
    where n.link = any(${links}::text[]) and n.user_id = any(${userIds}::bigint[])
      and (n.made_in = any(${transactionIds}::text[]::xid8[]) or n.occasion = ${changeOccasion} and n.read_at is null)
    order by n.id for update of n`.execute(trx);
  const earlierChanges = await loadSince({ definition, site, author }, notices, trx);
  return watchedRecords.map(({ person, record, channel }) => {
    const personNotices = notices.filter(
      ({ user_id: user, link }) => user === person.id && link === linkOf(definition, record.id),
    );
    const isTold = ({ made_in: transactionId }: WatchedChange) =>
      personNotices.some((notice) => notice.made_in === transactionId);
    const newChanges = changes.filter((change) => change.record_id === record.id && !isTold(change));
    // Changes that a mail or a digest has reported are not reported again.
    const open = personNotices.findLast(
      ({ from: firstChangeId, in_digest: waits }) =>
        firstChangeId !== null && (channel === 'notice' || (channel === 'digest' && waits)),
    );
    if (!open || newChanges.length === 0) return { person, record, changes: newChanges, allChanges: newChanges };
    const changesBefore = earlierChanges.filter(
      ({ id, record_id: changedRecord }) => changedRecord === record.id && id >= open.from! && id < newChanges[0]!.id,
    );
    return {
      person,
      record,
      changes: newChanges,
      allChanges: [...changesBefore, ...newChanges],
      replacedNotice: open.id,
    };
  });
}

/** The author's changes since those of which unread notifications tell, oldest first. */
async function loadSince(
  { definition, site, author }: { definition: Definition; site: number; author: number | null },
  notices: readonly StoredNotice[],
  trx: Transaction,
): Promise<WatchedChange[]> {
  const open = notices.flatMap(({ link, from: firstChangeId }) =>
    firstChangeId === null ? [] : [{ id: Number(link.split('/')[2]), from: firstChangeId }],
  );
  if (open.length === 0) return [];
  const { rows } = await sql<WatchedChange>`select h.id::float8 as id, h.site_id, h.record_id, h.event, h.old_values,
      h.new_values, h.created_at, '' as made_in
    from (select id, min("from") as "from" from json_to_recordset(${JSON.stringify(open)}::json) as o (id bigint, "from" bigint)
        group by id) o
      join assay.history h on h.site_id = ${site} and h.resource = ${definition.name} and h.record_id = o.id and h.id >= o."from"
    where h.user_id is not distinct from ${author}::bigint order by h.id`.execute(trx);
  return rows;
}

/** The texts of the notifications. */
interface Words {
  /** The changes, a line for each field; empty if the person may read none of them. */
  of(news: News): string;
  title(watched: Watched): string;
  /** Who changed it, as the person may see it. */
  author(person: Actor): string;
}

async function loadWords(
  program: Program,
  definition: Definition,
  author: number | null,
  newsList: readonly News[],
  trx: Transaction,
): Promise<Words> {
  const readers = await loadReaders(
    trx,
    newsList.map(({ person }) => person.id),
  );
  const names = await namesBySide(program, definition, author, newsList, trx);
  const textOf = ({ person, changes, allChanges }: News) => {
    const describe = (describedChanges: readonly WatchedChange[]) =>
      describeNews(definition, person, describedChanges, names(person), readers(person.id));
    const newText = describe(changes);
    // A change that reverts all the reported ones is reported alone.
    return newText && (describe(allChanges) || newText);
  };
  const texts = new Map(newsList.map((newsItem) => [newsItem, textOf(newsItem)]));
  return {
    of: (newsItem) => texts.get(newsItem)!,
    title: (watchedRecord) => titleFor(definition, watchedRecord),
    author: (person) => names(person).author,
  };
}

interface Names {
  readonly author: string;
  /** By the ids of entries of the history. */
  readonly titles: ReadonlyMap<number, HistoryTitles>;
}

/** The names of the author and of related records, as the installation and as companies see them. */
async function namesBySide(
  program: Program,
  definition: Definition,
  author: number | null,
  newsList: readonly News[],
  trx: Transaction,
): Promise<(person: Actor) => Names> {
  const changes = [
    ...new Map(newsList.flatMap(({ allChanges }) => allChanges.map((change) => [change.id, change] as const))).values(),
  ];
  const isInstallation = ({ level }: Actor) => level === Level.Installation;
  const sides = new Map<boolean, Names>();
  for (const { person } of newsList) {
    if (sides.has(isInstallation(person))) continue;
    const context = new RequestContext(program, person);
    const titles = await loadHistoryTitles({ context, definition }, changes, trx);
    sides.set(isInstallation(person), {
      author: await authorName({ context, definition, trx }, author),
      titles: new Map(changes.map(({ id }, index) => [id, titles[index]!])),
    });
  }
  return (person) => sides.get(isInstallation(person))!;
}

/** Who did it, as the one of the context may see their name. */
export async function authorName(
  { context, definition, trx }: TransactionScope,
  author: number | null,
): Promise<string> {
  if (author === null) return 'The program';
  const people = context.registry.getOrThrow(definition.fields.created_by!.to!);
  return (await loadTitles({ context, definition: people }, [author], trx)).get(author) ?? 'Somebody';
}

/** The title of a record, or its kind and number for who may not read that. */
export function titleFor(definition: Definition, { person, record }: Watched): string {
  const untitled = `${definition.labels.one} #${record.id}`;
  return mayReadTitle(person, definition) ? record.title || untitled : untitled;
}

/** Events that are no change of fields, in words. */
const eventWords: Readonly<Record<string, string>> = { archived: 'Archived', restored: 'Restored' };

function describeNews(
  definition: Definition,
  person: Actor,
  changes: readonly WatchedChange[],
  { titles }: Names,
  reader: Reader,
): string {
  const entries = changes.map((change): HistoryEntry => ({ ...change, user: null, names: titles.get(change.id) }));
  // They take turns: after an even number the record is as it was.
  const events = changes.filter(({ event }) => event in eventWords);
  const last = events.length % 2 === 1 ? events.at(-1)!.event : undefined;
  const readable = readableFields(person, definition, 'view').always;
  const fieldChanges = fieldChangesOf(definition, differenceOf(entries.toReversed(), '')).filter(({ field }) =>
    readable.has(field.name),
  );
  const lines = writeFor(reader, () => describeChanges(fieldChanges));
  return [...(last === undefined ? [] : [eventWords[last]!]), ...lines].join('\n');
}

function eventOfOne(definition: Definition, author: number | null, newsItem: News, words: Words): NotificationEvent {
  const { person, record, allChanges, replacedNotice } = newsItem;
  return {
    occasion: changeOccasion,
    company: record.company,
    recipients: [person.id],
    link: linkOf(definition, record.id),
    values: { actor: words.author(person), title: words.title(newsItem), text: words.of(newsItem) },
    changes: { by: author, from: allChanges[0]!.id },
    ...(replacedNotice !== undefined && { replacedNotice }),
  };
}

/** Many records in one notification, which leads to their list. */
function eventOfMany(definition: Definition, newsList: readonly News[], words: Words): NotificationEvent {
  const { person, record } = newsList[0]!;
  return {
    occasion: changeOccasion,
    company: record.company,
    recipients: [person.id],
    link: `/${definition.name}`,
    values: { actor: words.author(person), ...manyRecords(definition, newsList) },
  };
}

/** How many records, and the titles of the first. */
export function manyRecords(
  definition: Definition,
  watchedRecords: readonly Watched[],
): { title: string; text: string } {
  const titles = watchedRecords.slice(0, maxNamed).map((watchedRecord) => titleFor(definition, watchedRecord));
  const overflow = watchedRecords.length - titles.length;
  return {
    title: `${watchedRecords.length} ${definition.labels.many} that you watch`,
    text: [...titles, ...(overflow > 0 ? [`and ${overflow} more`] : [])].join('\n'),
  };
}
