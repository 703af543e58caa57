import { normaliseText } from '../../engine/values/normalise-text';
import { sql, type RawBuilder } from 'kysely';
import type { Comment, CommentVersion, Person } from '../../engine/comments/comment';
import { readsInternal } from '../../engine/comments/internal-comments';
import { realUser, type Actor } from '../../engine/access/actor';
import { idOf } from '../../engine/definitions/accessors';
import { isEqualJson } from '../../engine/values/equal-values';
import type { FileValue } from '../../engine/field-types/stored-files';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { accessFilter, assertGranted } from '../access/access-filter';
import type { QueryScope, RecordScope, TransactionScope } from '../access/record-scope';
import type { RequestContext } from '../access/request-context';
import { runStatement, type Queries } from '../database/database';
import { Forbidden, Invalid, NotFound } from '../errors/errors';
import { commentsResource } from '../live/live-hub';
import type { Body } from '../records/write/input';
import type { Page } from '../records/read/list';
import { cleanMarkup } from '../records/write/markup';
import { parseRange } from '../records/read/query/list-query';
import {
  audienceKey,
  bind,
  cachedGenericStatement,
  cachedStatement,
  conditionKey,
  Placeholder,
} from '../records/read/statement-cache';
import { assertNotArchived, lockRow } from '../records/write/stored-row';
import { startAutomations } from '../records/write/triggers';
import type { StoredFile } from '../files/files';
import { companyKey } from '../sql/company-key';
import { likePattern, visibleTitleSql } from '../sql/operands';
import { predicateToSql } from '../sql/predicate-to-sql';
import { claimCommentFiles, storeCommentFile, type SentFile } from './comment-files';
import { notifyOfComment } from './notify-comment';
import { findReaders, loadColleagues } from './readers';
import { readWatch, storeWatch, watchByCommenting, watchersSql, type WatchState } from './watches';

/** A comment as sent: markup, the ids of those whom it mentions, and files. */
export interface CommentBody {
  readonly text: string;
  readonly mentions?: readonly number[];
  /** All files of the comment; left out: as they are. */
  readonly files?: readonly SentFile[];
}

/** A new comment, which can be internal. */
export interface NewComment extends CommentBody {
  readonly internal?: boolean;
}

/** How many comments one answer has at most. */
const maxComments = 100;
/** The first page, without a range. */
const usualRange = '[0,49]';
/** How many people a search for somebody to mention gives, and how many it looks at. */
const maxMentionable = 10;
const lookedAtOnce = 100;
const maxLookedAt = 500;
/** Roles up to this level remove the comments of others: administrators and company owners. */
const moderatorLevel = 2;

/** `GET r/{id}/comments`: the comments of a record, newest first. Throws NotFound, as for the record itself. */
export async function listComments(scope: RecordScope, id: number, range = usualRange): Promise<Page<Comment>> {
  const { context, definition } = scope;
  const { limit, offset } = parseRange(range);
  const site = companyKey(definition, await readVisibleRow(scope, id));
  const { database } = context.program;
  const readable = readableComments(context, definition);
  const key = `comments|${audienceKey(context)}|${peopleOf(context.registry, definition).name}|${readsInternal(context.actor, definition)}`;
  const plan = cachedStatement(context, key, () => {
    const slot = (name: string) => new Placeholder(name);
    return sql`${selectComments(context, definition, slot('actor'))}
      where c.site_id = ${slot('site')} and c.resource = ${slot('resource')} and c.record_id = ${slot('id')} and c.deleted_at is null and ${readable}
      order by c.id desc limit ${slot('limit')}::bigint offset ${slot('offset')}::bigint`;
  });
  const slots = {
    actor: context.actor.id,
    site,
    resource: definition.name,
    id,
    limit: Math.min(limit, maxComments),
    offset,
  };
  const [rows, countResult] = await Promise.all([
    database.query(bind(plan, slots)) as Promise<unknown[]>,
    sql<{ total: number }>`select count(*)::integer as total from assay.comments c
      where c.site_id = ${site} and c.resource = ${definition.name} and c.record_id = ${id} and c.deleted_at is null
        and ${readable}`.execute(database.kysely),
  ]);
  const records = (rows as CommentRow[]).map((row) => withAddresses(context, row));
  return { records, offset, total: countResult.rows[0]!.total };
}

/**
 * `POST r/{id}/comments/files`: stores a file before the comment on a record that it is for; `receive` reads it once it is
 * known that the caller may comment. Throws as `addComment` and `storeCommentFile`.
 */
export async function uploadCommentFile(
  scope: RecordScope,
  id: number,
  receive: () => Promise<Body>,
): Promise<FileValue> {
  const { context, definition } = scope;
  assertMayWrite(context, definition);
  const row = await context.program.database.transaction((trx) => lockWritableRow({ context, definition, trx }, id));
  return storeCommentFile(scope, (row.site_id ?? null) as number | null, await receive());
}

/**
 * `POST r/{id}/comments`: adds a comment and notifies those whom it mentions and those who watch the record. Throws
 * NotFound, Forbidden, Conflict for an archived record, and Invalid.
 */
export async function addComment({ context, definition }: RecordScope, id: number, body: NewComment): Promise<Comment> {
  const { program, actor, now } = context;
  assertMayWrite(context, definition);
  const { internal = false } = body;
  if (internal && !readsInternal(actor, definition))
    throw new Invalid({ internal: 'You cannot write internal comments here. Send it without "internal".' });
  const text = readText(body, body.files ?? []);
  return program.database.transaction(async (trx) => {
    const scope = { context, definition, trx };
    const row = await lockWritableRow(scope, id);
    const files = await claimCommentFiles(scope, body.files ?? [], []);
    const mentionedUsers = await readMentions({ context, definition, trx }, row, body.mentions ?? [], internal);
    const { rows } = await sql<{ id: number }>`insert into assay.comments
        (resource, record_id, site_id, user_id, text, mentioned, files, internal, created_at)
      values (${definition.name}, ${id}, ${companyKey(definition, row)}, ${actor.id}, ${text}, ${mentionedUsers}::bigint[],
        ${JSON.stringify(files)}::jsonb, ${internal}, ${now})
      returning id`.execute(trx);
    await watchByCommenting(trx, definition, row, actor.id);
    await notifyOfComment(
      { context, definition, trx },
      row,
      { id: rows[0]!.id, text, mentioned: mentionedUsers, files, internal },
      {
        watchers: true,
      },
    );
    // Those who are told of what follows from it may not read it.
    if (!internal) await startAutomations(scope, 'comment', [{ before: row, values: row }]);
    publishComment(scope, row, internal);
    return readComment(scope, row, rows[0]!.id);
  });
}

/**
 * `PUT r/{id}/comments/{comment}`: changes one's own comment; the former text is kept. Those who are mentioned for the
 * first time are notified. Throws as `addComment`.
 */
export async function changeComment(
  { context, definition }: RecordScope,
  id: number,
  comment: number,
  body: CommentBody,
): Promise<Comment> {
  const { program, actor, now } = context;
  assertMayWrite(context, definition);
  return program.database.transaction(async (trx) => {
    const scope = { context, definition, trx };
    const row = await lockWritableRow(scope, id);
    const site = companyKey(definition, row);
    const previousComment = await lockComment(scope, row, comment);
    if (previousComment.user_id !== actor.id) throw new Forbidden('Only who wrote a comment can change it.');
    const text = readText(body, body.files ?? previousComment.files);
    const files = body.files
      ? await claimCommentFiles(scope, body.files, previousComment.files)
      : previousComment.files;
    const previousMentions = new Set(previousComment.mentioned);
    // Those who were mentioned before stay so, also if they can no longer see the record.
    const requestedMentions = [...new Set(body.mentions ?? previousComment.mentioned)];
    const newMentions = requestedMentions.filter((user) => !previousMentions.has(user));
    await readMentions({ context, definition, trx }, row, newMentions, previousComment.internal);
    if (previousComment.text !== text)
      await sql`insert into assay.comment_versions (site_id, comment_id, version, text, written_at)
        select ${site}, ${comment}, 1 + count(*), ${previousComment.text}, ${previousComment.edited_at ?? previousComment.created_at}
        from assay.comment_versions where site_id = ${site} and comment_id = ${comment}`.execute(trx);
    const isSame = previousComment.text === text && isEqualJson(keysOf(previousComment.files), keysOf(files));
    await sql`update assay.comments set text = ${text}, mentioned = ${requestedMentions}::bigint[],
      files = ${JSON.stringify(files)}::jsonb, edited_at = ${isSame ? previousComment.edited_at : now}
      where site_id = ${site} and id = ${comment}`.execute(trx);
    if (newMentions.length > 0)
      await notifyOfComment(
        { context, definition, trx },
        row,
        { id: comment, text, mentioned: newMentions, files, internal: previousComment.internal },
        {
          watchers: false,
        },
      );
    publishComment(scope, row, previousComment.internal);
    return readComment(scope, row, comment);
  });
}

/**
 * `DELETE r/{id}/comments/{comment}`: removes one's own comment; administrators and company owners remove those of others
 * too. It can be taken back for 30 days.
 */
export async function deleteComment(
  { context, definition }: RecordScope,
  id: number,
  comment: number,
): Promise<Comment> {
  const { program, actor, now } = context;
  assertMayWrite(context, definition);
  return program.database.transaction(async (trx) => {
    const scope = { context, definition, trx };
    const row = await lockWritableRow(scope, id);
    const previousComment = await lockComment(scope, row, comment);
    if (previousComment.user_id !== actor.id && !isModerator(actor))
      throw new Forbidden('Only who wrote a comment, and administrators, can delete it.');
    const answer = await readComment(scope, row, comment);
    await sql`update assay.comments set deleted_at = ${now}, deleted_by = ${actor.id}
      where site_id = ${companyKey(definition, row)} and id = ${comment}`.execute(trx);
    publishComment(scope, row, previousComment.internal);
    return answer;
  });
}

/** `PATCH r/{id}/comments/{comment}/restore`: takes the removal of a comment back, by whoever removed it. */
export async function restoreComment(
  { context, definition }: RecordScope,
  id: number,
  comment: number,
): Promise<Comment> {
  const { program, actor } = context;
  assertMayWrite(context, definition);
  return program.database.transaction(async (trx) => {
    const scope = { context, definition, trx };
    const row = await lockWritableRow(scope, id);
    const { rows } = await sql<{ internal: boolean }>`update assay.comments c set deleted_at = null, deleted_by = null
      where c.site_id = ${companyKey(definition, row)} and c.id = ${comment} and c.resource = ${definition.name}
        and c.record_id = ${id} and c.deleted_by = ${actor.id} and ${readableComments(context, definition)} returning c.internal`.execute(
      trx,
    );
    if (!rows[0]) throw new NotFound();
    publishComment(scope, row, rows[0].internal);
    return readComment(scope, row, comment);
  });
}

/** `GET r/{id}/comments/{comment}/versions`: the former texts of a comment, newest first. */
export async function listCommentVersions(
  scope: RecordScope,
  id: number,
  comment: number,
): Promise<readonly CommentVersion[]> {
  const { context, definition } = scope;
  const site = companyKey(definition, await readVisibleRow(scope, id));
  const { rows } = await sql<CommentVersion & { version: number | null }>`select v.version, v.text, v.written_at
    from assay.comments c left join assay.comment_versions v on v.site_id = c.site_id and v.comment_id = c.id
    where c.site_id = ${site} and c.id = ${comment} and c.resource = ${definition.name} and c.record_id = ${id} and c.deleted_at is null
      and ${readableComments(context, definition)}
    order by v.version desc limit 200`.execute(context.program.database.kysely);
  if (rows.length === 0) throw new NotFound();
  return rows.flatMap(({ version, text, written_at }) => (version === null ? [] : [{ text, written_at }]));
}

/**
 * `GET r/{id}/mentionable`: colleagues whose name has a word that begins with `q`, by name: only those who may view the
 * record, and with `internal` read internal comments on it, and not the caller.
 */
export async function listMentionable(
  scope: RecordScope,
  id: number,
  { q = '', internal }: MentionQuery,
): Promise<readonly Person[]> {
  const { context, definition } = scope;
  const { program, actor, registry } = context;
  const row = await readVisibleRow(scope, id);
  const { kysely } = program.database;
  const name = sql`concat_ws(' ', u.first_name, u.last_name)`;
  const searchText = normaliseText(q).toLowerCase();
  const matches =
    searchText === '' ? sql`true` : sql`concat(' ', lower(${name})) like ${likePattern(` ${searchText}`)}::text`;
  const company = (row.site_id ?? null) as number | null;
  const foundIds: number[] = [];
  // Most who match may see it: one round, unless a rule hides the record from nearly everybody.
  for (let offset = 0; offset < maxLookedAt && foundIds.length < maxMentionable; offset += lookedAtOnce) {
    const colleagues = await loadColleagues(kysely, company, sql`${matches} and u.id <> ${actor.id}`, {
      order: sql`lower(${name}), u.id`,
      limit: lookedAtOnce,
      offset,
    });
    const readers = await findReaders(program, kysely, definition, id, amongReaders(definition, colleagues, internal));
    foundIds.push(...colleagues.flatMap((person) => (readers.has(person.id) ? [person.id] : [])));
    if (colleagues.length < lookedAtOnce) break;
  }
  return namePeople(actor, definition, registry, foundIds.slice(0, maxMentionable), kysely);
}

/** Who is offered to be mentioned. */
interface MentionQuery {
  /** The beginning of a word of their names. */
  readonly q?: string | undefined;
  /** In an internal comment. */
  readonly internal: boolean;
}

/** `GET r/{id}/watch`: what the caller chose about a record, whether they are told of new comments, and who else is. */
export async function getWatch(context: RequestContext, definition: Definition, id: number): Promise<WatchAnswer> {
  const row = await readVisibleRow({ context, definition }, id);
  return answerWatch({ context, definition, queries: context.program.database.kysely }, row);
}

/** `PUT r/{id}/watch`: chooses whether the caller is told of comments and changes; null: as it is without a choice. */
export async function setWatch(scope: RecordScope, id: number, state: WatchState | null): Promise<WatchAnswer> {
  const { context, definition } = scope;
  return context.program.database.transaction(async (trx) => {
    const row = await readVisibleRow(scope, id, trx);
    await storeWatch(trx, definition, row, { user: context.actor.id, state });
    return answerWatch({ context, definition, queries: trx }, row);
  });
}

/** A user's choice about a record, whether they are told of new comments on it, and which users are. */
export interface WatchAnswer {
  readonly state: WatchState | null;
  readonly watching: boolean;
  /** The first by name. */
  readonly watchers: readonly Person[];
}

/** How many of those who watch a record are named. */
const maxWatchers = 50;

async function answerWatch({ context, definition, queries }: QueryScope, row: ResourceRecord): Promise<WatchAnswer> {
  const { program, actor, registry } = context;
  const ownWatch = await readWatch(queries, definition, row, realUser(actor).id);
  const company = (row.site_id ?? null) as number | null;
  const people = await loadColleagues(queries, company, sql`u.id in (${watchersSql(definition, row)})`, {
    order: sql`lower(concat_ws(' ', u.first_name, u.last_name)), u.id`,
    limit: maxWatchers,
    administrators: true,
  });
  const readers = await findReaders(program, queries, definition, row.id as number, people);
  const ids = people.flatMap(({ id }) => (readers.has(id) ? [id] : []));
  return { ...ownWatch, watchers: await namePeople(actor, definition, registry, ids, queries) };
}

/** People by their ids, with their names as the actor may see them. */
async function namePeople(
  actor: Actor,
  definition: Definition,
  registry: Registry,
  ids: readonly number[],
  queries: Queries,
): Promise<Person[]> {
  const { rows } =
    await sql<Person>`select u.id, ${visibleTitleSql(actor, peopleOf(registry, definition), 'u', registry)} as name
    from public.users u where u.id = any(${[...ids]}::bigint[])`.execute(queries);
  return ids.flatMap((id) => rows.find((person) => person.id === id) ?? []);
}

/** How long a removed comment can be taken back. */
const daysUntilGone = 30;

/** Deletes comments that were removed long ago. Returns how many. */
export async function purgeDeletedComments(queries: Queries): Promise<number> {
  const { rows } = await sql`delete from assay.comments
    where deleted_at < now() - make_interval(days => ${daysUntilGone}) returning id`.execute(queries);
  return rows.length;
}

/** The row of a record that the caller may view, archived or not. Throws Forbidden without the grant, and NotFound. */
async function readVisibleRow(
  { context, definition }: RecordScope,
  id: number,
  queries: Queries = context.program.database.kysely,
): Promise<ResourceRecord> {
  const filter = accessFilter(context, definition, 'view', { archived: 'any' });
  const plan = cachedGenericStatement(context, `visible row|${conditionKey(context, definition, filter)}`, () => {
    const visibleRows = predicateToSql(filter, definition, 't', context.registry, context.evaluationContext);
    return sql`select t.* from ${sql.id('public', definition.table)} t
      where t.id = ${new Placeholder('id')}::bigint and ${visibleRows}`;
  });
  const [row] = await runStatement<ResourceRecord>(queries, bind(plan, { id }));
  if (!row) throw new NotFound();
  return row;
}

/** Throws Forbidden without the grants that writing needs. */
function assertMayWrite(context: RequestContext, definition: Definition): void {
  assertGranted(context, definition, 'view');
  assertGranted(context, definition, definition.comments!.write);
}

/** The row of a record that the caller may comment on, kept from being deleted meanwhile. */
async function lockWritableRow(scope: TransactionScope, id: number): Promise<ResourceRecord> {
  const { definition } = scope;
  const row = await lockRow(scope, id, 'refer');
  if (definition.comments!.write === 'edit') row.matchingRules();
  assertNotArchived(definition, row);
  return row.values;
}

interface StoredComment {
  readonly user_id: number;
  readonly text: string;
  readonly mentioned: readonly number[];
  readonly files: readonly StoredFile[];
  readonly internal: boolean;
  readonly created_at: string;
  readonly edited_at: string | null;
}

async function lockComment(
  { context, definition, trx }: TransactionScope,
  row: ResourceRecord,
  comment: number,
): Promise<StoredComment> {
  const { rows } = await sql<StoredComment>`select c.user_id, c.text, c.mentioned, c.files, c.internal, c.created_at,
      c.edited_at
    from assay.comments c where c.site_id = ${companyKey(definition, row)} and c.id = ${comment}
      and c.resource = ${definition.name} and c.record_id = ${idOf(row)} and c.deleted_at is null and ${readableComments(context, definition)} for update`.execute(
    trx,
  );
  if (!rows[0]) throw new NotFound();
  return rows[0];
}

/** The text as it is stored. Throws Invalid if nothing is left of it and there is no file. */
function readText({ text }: CommentBody, files: readonly unknown[]): string {
  const clean = cleanMarkup(text);
  if (clean === null && files.length === 0) throw new Invalid({ text: 'A comment must not be empty.' });
  return clean ?? '';
}

const keysOf = (files: readonly StoredFile[]) => files.map(({ key }) => key);

/** The people of a comment, each once. Throws Invalid, in the same words for who may not see the record and who does not exist. */
async function readMentions(
  { context, definition, trx }: TransactionScope,
  row: ResourceRecord,
  requestedMentions: readonly number[],
  internal: boolean,
): Promise<readonly number[]> {
  const ids = [...new Set(requestedMentions)];
  if (ids.length === 0) return ids;
  const company = (row.site_id ?? null) as number | null;
  const people = await loadColleagues(trx, company, sql`u.id = any(${ids}::bigint[])`, { limit: ids.length });
  const mentionable = amongReaders(definition, people, internal);
  const readers = await findReaders(context.program, trx, definition, row.id as number, mentionable);
  const singular = definition.labels.one.toLowerCase();
  if (ids.some((id) => !readers.has(id)))
    throw new Invalid({
      mentions: internal
        ? `Only people who can see this ${singular} and its internal comments can be mentioned.`
        : `Only people who can see this ${singular} can be mentioned.`,
    });
  return ids;
}

function isModerator({ level }: Actor): boolean {
  return level <= moderatorLevel;
}

/** The definition of the people who write comments. */
function peopleOf(registry: Registry, { fields }: Definition): Definition {
  return registry.getOrThrow(fields.created_by!.to!);
}

/** Of comments `c`, those that the caller reads, of a record that they may view. */
function readableComments({ actor }: RequestContext, definition: Definition): RawBuilder<boolean> {
  return readsInternal(actor, definition) ? sql`true` : sql`not c.internal`;
}

/** Of these people, those who read a comment if they may view its record. */
function amongReaders(definition: Definition, people: readonly Actor[], internal: boolean): readonly Actor[] {
  return internal ? people.filter((person) => readsInternal(person, definition)) : people;
}

/** Comments `c` as the caller, whose id is `user`, gets them. */
function selectComments(
  { actor, registry }: RequestContext,
  definition: Definition,
  user: unknown = actor.id,
): RawBuilder<unknown> {
  const people = peopleOf(registry, definition);
  const isReadOnly = actor.viewer !== undefined;
  const isOwn = isReadOnly ? sql`false` : sql`c.user_id = ${user}`;
  const person = (alias: string) =>
    sql`json_build_object('id', ${sql.id(alias, 'id')}, 'name', ${visibleTitleSql(actor, people, alias, registry)})`;
  return sql`select c.id, c.text, c.internal,
      (select ${person('u')} from public.users u where u.id = c.user_id) as "user",
      (select coalesce(json_agg(${person('m')} order by m.id), '[]'::json) from public.users m
        where m.id = any(c.mentioned)) as mentions,
      c.files, c.created_at, c.edited_at, ${isOwn} as may_edit,
      ${isModerator(actor) && !isReadOnly ? sql`true` : isOwn} as may_delete
    from assay.comments c`;
}

async function readComment(
  { context, definition, trx }: TransactionScope,
  row: ResourceRecord,
  comment: number,
): Promise<Comment> {
  const { rows } = await sql<CommentRow>`${selectComments(context, definition)}
    where c.site_id = ${companyKey(definition, row)} and c.id = ${comment}`.execute(trx);
  return withAddresses(context, rows[0]!);
}

/** A comment as it is read from the database. */
type CommentRow = Omit<Comment, 'files'> & { readonly files: readonly StoredFile[] };

/** A comment whose files have addresses, which expire soon. */
function withAddresses({ program }: RequestContext, { files, ...comment }: CommentRow): Comment {
  const addressed = files.map(({ key, ...file }) => ({ ...file, url: program.files.signedUrl(key) }));
  return { ...comment, files: addressed };
}

/**
 * Says only that something was said in a company: what, clients ask with their own access. Of an internal comment only those
 * hear who read internal comments of this resource.
 */
function publishComment(
  { context: { program }, definition: { name }, trx }: TransactionScope,
  row: ResourceRecord,
  internal: boolean,
): void {
  const site_id = (row.site_id ?? null) as number | null;
  const event = { resource: commentsResource, id: null, event: 'changed', site_id } as const;
  program.live.publish(internal ? { ...event, internal: name } : event, trx);
}
