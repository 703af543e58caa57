import { sql } from 'kysely';
import type { Registry } from '../../../engine/registry/registry';
import type { Source } from '../../../engine/language/source';
import { formatInstant } from '../../../engine/formats/dates';
import type { DraftRecipient, ModuleDraft, WholeModuleDraft } from '../../../engine/studio/module-draft';
import type { RequestContext } from '../../access/request-context';
import type { Queries, Transaction } from '../../database/database';
import { onEngineTables } from '../../database/engine-tables';
import { parseSource, serializeSource } from '../../definitions/stored-modules';
import { Conflict, NotFound } from '../../errors/errors';
import { draftsResource } from '../../live/live-hub';
import { notify } from '../../notifications/notify';
import { isActiveRecipient } from '../../notifications/recipients';
import { titleSql } from '../../sql/operands';
import { parseDraft } from '../plan-draft';
import type { Handing, SavedContent } from './calls';
import { peopleDefinition } from '../versions';

interface DraftRow {
  readonly name: string;
  readonly user_id: number;
  readonly user_name: string | null;
  readonly base_version: number;
  readonly revision: number;
  readonly updated_at: string;
  readonly source: string;
}

interface WholeDraftRow extends DraftRow {
  readonly base: string;
  readonly text: string;
  readonly purge: readonly string[];
  readonly takes_shipped: boolean;
}

/** All drafts of definitions, latest first. */
export async function listDrafts(queries: Queries, registry: Registry): Promise<ModuleDraft[]> {
  const { rows } = await sql<DraftRow>`select d.name, d.user_id, ${userName(registry)} as user_name, d.base_version,
      d.revision, d.updated_at, d.source
    from assay.module_drafts d left join ${userTable(registry)} u on u.id = d.user_id
    order by d.updated_at desc, d.name, d.user_id`.execute(queries);
  return rows.map(toDraft);
}

/** A user's draft of a module; undefined if there is none. */
export async function findDraft(
  queries: Queries,
  registry: Registry,
  { name, user }: { readonly name: string; readonly user: number },
): Promise<WholeModuleDraft | undefined> {
  const { rows } = await sql<WholeDraftRow>`select d.*, ${userName(registry)} as user_name
    from assay.module_drafts d left join ${userTable(registry)} u on u.id = d.user_id
    where d.name = ${name} and d.user_id = ${user}`.execute(queries);
  const [row] = rows;
  if (!row) return undefined;
  const { base_version: version, base, source, text, purge, takes_shipped } = row;
  return {
    ...toDraft(row),
    base: { version, source: parseSource(base) },
    source: parseSource(source),
    ...{ text, purge, takes_shipped },
  };
}

/**
 * Saves the caller's draft. Saving what is stored already changes nothing, so that a save whose answer was lost can be
 * sent again. Throws Conflict if another window saved since the revision that the caller has seen, or the draft was
 * published, discarded or handed over.
 */
export async function saveDraft(context: RequestContext, name: string, content: SavedContent): Promise<ModuleDraft> {
  const { program, actor, registry } = context;
  const { base, source, text, purge, takes_shipped, revision, stream } = content;
  const draftRow = {
    base_version: base.version,
    base: serializeSource(base.source as unknown as Source),
    source: parseDraft(source, name).text,
    ...{ text, purge, takes_shipped },
  };
  return program.database.transaction(async (trx) => {
    await lockDraftsOf(trx, name);
    const drafts = onEngineTables(trx);
    const startedDraft =
      revision === 0 &&
      (await drafts
        .insertInto('module_drafts')
        .values({ name, user_id: actor.id, ...draftRow, revision: 1 })
        .onConflict((conflict) => conflict.columns(['name', 'user_id']).doNothing())
        .returning('revision')
        .executeTakeFirst());
    if (!startedDraft) {
      const storedDraft = await readDraft(trx, name, actor.id);
      if (storedDraft && isSame(storedDraft, draftRow)) return draftOrThrow(trx, registry, name, actor.id);
      assertRevision(storedDraft, revision, context);
      await drafts
        .updateTable('module_drafts')
        .set({ ...draftRow, revision: revision + 1, updated_at: new Date() })
        .where('name', '=', name)
        .where('user_id', '=', actor.id)
        .execute();
    }
    announce(context, name, trx, stream);
    return draftOrThrow(trx, registry, name, actor.id);
  });
}

/** Discards the caller's draft, if there is one. Throws Conflict if it is not of the revision that was seen. */
export async function discardDraft(
  context: RequestContext,
  name: string,
  { revision, stream }: { readonly revision?: number; readonly stream?: string },
): Promise<void> {
  await context.program.database.transaction(async (trx) => {
    await lockDraftsOf(trx, name);
    const storedDraft = await readDraft(trx, name, context.actor.id);
    if (storedDraft && revision !== undefined) assertRevision(storedDraft, revision, context);
    await deleteDraft(context, name, trx, { stream });
  });
}

/** Ends the caller's draft as of a revision, because it is being published. A later revision stays. */
export async function endPublishedDraft(
  context: RequestContext,
  name: string,
  revision: number | undefined,
  trx: Transaction,
): Promise<void> {
  if (revision !== undefined) await deleteDraft(context, name, trx, { revision });
}

/** The active administrators besides the caller. */
export async function draftRecipients(
  { program, actor, registry }: RequestContext,
  name: string,
): Promise<DraftRecipient[]> {
  const { rows } = await sql<DraftRecipient>`select u.id, ${userName(registry)} as name,
      exists (select from assay.module_drafts d where d.name = ${name} and d.user_id = u.id) as has_draft
    from ${userTable(registry)} u join public.roles r on r.id = u.role_id
    where r.level = 1 and u.id <> ${actor.id} and ${isActiveRecipient()} order by 2, 1`.execute(
    program.database.kysely,
  );
  return rows;
}

/**
 * Gives the caller's draft to another administrator and notifies them. Throws NotFound without such a draft or
 * administrator, and Conflict if it has changed or they have a draft of the module themselves.
 */
export async function handDraftOver(
  context: RequestContext,
  name: string,
  { user_id: recipientId, revision }: Handing,
) {
  const recipient = (await draftRecipients(context, name)).find(({ id }) => id === recipientId);
  if (!recipient) throw new NotFound('Only an active administrator of the installation can get a draft.');
  return moveDraft(context, name, { fromUser: context.actor.id, toUser: recipientId, revision }, (label, caller) => ({
    user_id: recipientId,
    title: `${caller} handed over to you the draft of ${label}`,
    content: 'You can change it and publish it.',
  }));
}

/**
 * Makes another administrator's draft the caller's and notifies them. Throws NotFound without such a draft, and
 * Conflict if it has changed or the caller has a draft of the module already.
 */
export async function takeDraftOver(context: RequestContext, name: string, { user_id: ownerId, revision }: Handing) {
  return moveDraft(context, name, { fromUser: ownerId, toUser: context.actor.id, revision }, (label, caller) => ({
    user_id: ownerId,
    title: `${caller} took over your draft of ${label}`,
    content: 'It is no longer yours. You can take it back in the studio.',
  }));
}

interface Move {
  readonly fromUser: number;
  readonly toUser: number;
  readonly revision: number;
}

async function moveDraft(
  context: RequestContext,
  name: string,
  { fromUser, toUser, revision }: Move,
  message: (label: string, caller: string) => { user_id: number; title: string; content: string },
): Promise<ModuleDraft> {
  const { program, actor, registry } = context;
  return program.database.transaction(async (trx) => {
    await lockDraftsOf(trx, name);
    const storedDraft = await readDraft(trx, name, fromUser);
    if (!storedDraft || fromUser === toUser)
      throw new NotFound('There is no such draft any more. Reload the list of drafts.');
    assertRevision(storedDraft, revision, context);
    if (await readDraft(trx, name, toUser))
      throw new Conflict(
        toUser === actor.id
          ? 'You have a draft of this module yourself. Publish or discard it first. Nothing was changed.'
          : 'That administrator has a draft of this module already. Nothing was changed.',
      );
    await onEngineTables(trx)
      .updateTable('module_drafts')
      .set({ user_id: toUser, revision: revision + 1 })
      .where('name', '=', name)
      .where('user_id', '=', fromUser)
      .execute();
    const draft = await draftOrThrow(trx, registry, name, toUser);
    const movePeople = await loadRecipient(trx, registry, {
      caller: actor.id,
      recipient: fromUser === actor.id ? toUser : fromUser,
    });
    if (movePeople.isActive)
      await notify(program, trx, [{ ...message(draft.label, movePeople.caller), link: `/studio/${name}` }]);
    announce(context, name, trx);
    return draft;
  });
}

/** The caller's name, and whether the other one can be notified. */
async function loadRecipient(
  trx: Transaction,
  registry: Registry,
  { caller, recipient }: { readonly caller: number; readonly recipient: number },
): Promise<{ caller: string; isActive: boolean }> {
  const { rows } = await sql<{ id: number; name: string | null; active: boolean }>`select u.id,
      ${userName(registry)} as name, ${isActiveRecipient()} as active
    from ${userTable(registry)} u where u.id in (${caller}, ${recipient})`.execute(trx);
  const userOf = (id: number) => rows.find((row) => row.id === id);
  return { caller: userOf(caller)?.name ?? 'An administrator', isActive: userOf(recipient)?.active === true };
}

/** One change of a module's drafts at a time: handing over touches those of two users. */
async function lockDraftsOf(trx: Transaction, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`draft ${name}`}, 0))`.execute(trx);
}

type StoredDraft = Awaited<ReturnType<typeof readDraft>>;

function readDraft(trx: Transaction, name: string, user: number) {
  return onEngineTables(trx)
    .selectFrom('module_drafts')
    .selectAll()
    .where('name', '=', name)
    .where('user_id', '=', user)
    .forUpdate()
    .executeTakeFirst();
}

function assertRevision(storedDraft: StoredDraft, revision: number, { timeZone }: RequestContext): void {
  if (storedDraft?.revision === revision) return;
  const reason = storedDraft
    ? `This draft was changed elsewhere on ${formatInstant(new Date(storedDraft.updated_at).toISOString(), timeZone)}`
    : 'This draft was published, discarded or handed over elsewhere';
  throw new Conflict(`${reason}. Nothing was saved.`, 'CONFLICT_STALE');
}

type WrittenDraft = Pick<
  NonNullable<StoredDraft>,
  'base_version' | 'base' | 'source' | 'text' | 'purge' | 'takes_shipped'
>;

function isSame(storedDraft: WrittenDraft, writtenDraft: WrittenDraft): boolean {
  return (
    storedDraft.base_version === writtenDraft.base_version &&
    storedDraft.base === writtenDraft.base &&
    storedDraft.source === writtenDraft.source &&
    storedDraft.text === writtenDraft.text &&
    storedDraft.takes_shipped === writtenDraft.takes_shipped &&
    JSON.stringify(storedDraft.purge) === JSON.stringify(writtenDraft.purge)
  );
}

async function deleteDraft(
  context: RequestContext,
  name: string,
  trx: Transaction,
  { revision, stream }: { readonly revision?: number; readonly stream?: string },
): Promise<void> {
  let deletion = onEngineTables(trx)
    .deleteFrom('module_drafts')
    .where('name', '=', name)
    .where('user_id', '=', context.actor.id);
  if (revision !== undefined) deletion = deletion.where('revision', '=', revision);
  const { numDeletedRows } = await deletion.executeTakeFirst();
  if (numDeletedRows > 0n) announce(context, name, trx, stream);
}

/** Reports a change of a module's drafts; not to the window with this stream, which made it. */
function announce({ program }: RequestContext, name: string, trx: Transaction, stream?: string): void {
  program.live.publish({ resource: draftsResource, id: name, event: 'changed', except: stream }, trx);
}

async function draftOrThrow(trx: Transaction, registry: Registry, name: string, user: number): Promise<ModuleDraft> {
  const draft = await findDraft(trx, registry, { name, user });
  if (!draft) throw new NotFound();
  const { label, user: owner, base_version, revision, updated_at } = draft;
  return { name, label, user: owner, base_version, revision, updated_at };
}

function toDraft({ name, user_id, user_name, base_version, revision, updated_at, source }: DraftRow): ModuleDraft {
  const label: unknown = parseSource(source).labels.many;
  return {
    name,
    label: typeof label === 'string' && label !== '' ? label : name,
    user: { id: user_id, name: user_name ?? `User ${user_id}` },
    ...{ base_version, revision },
    updated_at: new Date(updated_at).toISOString(),
  };
}

const userTable = (registry: Registry) => sql.id('public', peopleDefinition(registry).table);
const userName = (registry: Registry) => titleSql(peopleDefinition(registry), 'u', registry);
