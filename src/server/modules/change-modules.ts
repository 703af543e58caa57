import { sql } from 'kysely';
import type { Transaction } from '../database/database';
import type { SecurityEvent } from '../security-log/events';
import { recordSecurityEvent } from '../security-log/security-log';
import type { RequestContext } from '../access/request-context';
import type { DefinitionSet, Stage, Proposal } from '../definitions/stage';
import { type Publisher, storeModule, serializeSource, type StoredModule } from '../definitions/stored-modules';
import { Conflict, NotFound, Invalid, Unavailable } from '../errors/errors';
import { definitionsResource } from '../live/live-hub';
import { describeLatestVersion, loadPublisher, loadVersionText } from './versions';
import type { NewModule, Publishing, Restoring } from './calls';
import { endPublishedDraft } from './drafts/drafts';
import { parseDraft, planProposal } from './plan-draft';
import type { ModuleVersion, PlanStep } from '../../engine/studio/module';
import { TablesBusyError } from '../database/busy-locks';
import { lockTables, syncInTransaction, SyncError } from '../sync/sync';
import { PurgeError } from '../sync/purge';
import { isForbidden, type Step } from '../sync/step';
import { tableOf } from '../../engine/definitions/labels';
import type { Registry } from '../../engine/definitions/registry';
import { introspect, type CurrentSchema } from '../sync/introspect';
import { nameColumns } from '../sync/stored-names';
import { quoteIdentifier, qualifiedTable, targetSchema } from '../sync/target-schema';
import { onEngineTables } from '../database/engine-tables';

/** Creates a module or reactivates a retired one. Returns its name. Throws Conflict if the name is in use. */
export async function createModule(
  context: RequestContext,
  { definition, confirm = false, note, draft }: NewModule,
): Promise<string> {
  const { name, text } = parseDraft(definition);
  await changeDefinition(context, name, async (stage, by) => {
    if (isActive(stage, name)) throw new Conflict(`A module named ${name} already exists.`);
    await endPublishedDraft(context, name, draft, stage.trx);
    return publishDefinition(stage, { name, text, by, confirm, note, event: 'published' });
  });
  return name;
}

/** Publishes a definition. Throws NotFound, and Conflict if the draft is based on an outdated version. */
export async function publishModule(
  context: RequestContext,
  name: string,
  { definition, version: base, confirm = false, purge, note, draft, shipped: isReviewed }: Publishing,
): Promise<void> {
  await changeDefinition(context, name, async (stage, by) => {
    assertActive(stage, name);
    await assertVersion(context, stage, { name, seen: base, what: `Your draft is based on version ${base}` });
    const { text } = parseDraft(definition, name);
    await endPublishedDraft(context, name, draft, stage.trx);
    return publishIfNew(stage, { name, text, by, confirm, purge, note, isReviewed, event: 'published' });
  });
}

/** Publishes an earlier version again. Throws NotFound. */
export async function restoreModule(
  context: RequestContext,
  name: string,
  { version, confirm = false, note }: Restoring,
): Promise<void> {
  await changeDefinition(context, name, async (stage, by) => {
    assertActive(stage, name);
    const text = await loadVersionText(stage.trx, name, version);
    if (text === undefined) throw new NotFound(`Version ${version} of ${name} does not exist.`);
    return publishIfNew(stage, { name, text, by, confirm, note, event: 'restored' });
  });
}

/**
 * Retires a custom module, or resets a shipped one to its shipped definition. Throws Conflict if there is a newer
 * version than the one that the caller has seen.
 */
export async function removeModule(
  context: RequestContext,
  name: string,
  { confirm, version }: { readonly confirm: boolean; readonly version?: number },
): Promise<void> {
  await changeDefinition(context, name, async (stage, by) => {
    const shippedText = stage.shipped.get(name);
    if (!isActive(stage, name)) return undefined;
    await assertVersion(context, stage, { name, seen: version, what: `You have seen version ${version}` });
    if (shippedText === undefined) return retireModule(stage, name, by);
    return publishIfNew(stage, { name, text: shippedText, by, confirm, event: 'returned' });
  });
}

/**
 * Drops the table of a retired module, and its files. Throws Conflict if it is active, or without its name as
 * confirmation.
 */
export async function purgeModule(context: RequestContext, name: string, confirm: unknown): Promise<void> {
  if (confirm !== name)
    throw new Conflict('This drops the table with everything in it. Confirm with the name of the module.');
  const { database, files, live } = context.program;
  await changeDefinition(context, name, async (stage) => {
    if (isActive(stage, name)) throw new Conflict('Only a retired module can be purged. This one is still in use.');
    await dropTables(stage.trx, name, stage.before.registry);
    await logDefinitionEvent(context, 'definition_purged', name, stage.trx);
    live.publish({ resource: definitionsResource, id: name, event: 'changed' }, stage.trx);
    return undefined;
  });
  const stored = await onEngineTables(database.kysely)
    .selectFrom('files')
    .select('key')
    .where('resource', '=', name)
    .execute();
  await files.remove(stored.map(({ key }) => key as string));
}

/** Security events by version event. */
const securityEvents: Readonly<Record<string, SecurityEvent>> = {
  restored: 'definition_restored',
  returned: 'definition_restored',
  retired: 'definition_retired',
};

function logDefinitionEvent(
  { program, actor }: RequestContext,
  event: SecurityEvent,
  name: string,
  trx: Transaction,
  detail?: Readonly<Record<string, unknown>>,
): Promise<void> {
  return recordSecurityEvent(program, { event, actor, resource: 'modules', subject: name, detail }, trx);
}

async function latestVersion(trx: Transaction, name: string): Promise<{ event: string; version: number }> {
  const latest = await onEngineTables(trx)
    .selectFrom('module_versions')
    .select(['event', 'version'])
    .where('name', '=', name)
    .orderBy('version', 'desc')
    .executeTakeFirst();
  return latest ?? { event: '', version: 0 };
}

async function changeDefinition(
  context: RequestContext,
  name: string,
  run: (stage: Stage, by: Publisher) => Promise<DefinitionSet | undefined>,
): Promise<void> {
  const { program, actor } = context;
  const change = program.definitions.change(name, async (stage) => {
    const version = stage.stored.get(name)?.version ?? 0;
    const done = await run(stage, await loadPublisher(stage, actor));
    if (done) {
      const { event, version: now } = await latestVersion(stage.trx, name);
      if (now > version)
        await logDefinitionEvent(context, securityEvents[event] ?? 'definition_published', name, stage.trx, {
          version: now,
        });
    }
    return done;
  });
  await change.catch((error: unknown) => {
    throw error instanceof TablesBusyError ? new Unavailable(error.message) : error;
  });
}

async function publishIfNew(stage: Stage, publication: Publication): Promise<DefinitionSet | undefined> {
  return isUnchanged(stage, publication) ? undefined : publishDefinition(stage, publication);
}

/** Throws Conflict if there is a newer version than the one that was seen; undefined: any will do. */
async function assertVersion(
  { timeZone }: RequestContext,
  { stored, trx }: Stage,
  { name, seen, what }: { readonly name: string; readonly seen: number | undefined; readonly what: string },
): Promise<void> {
  if (seen === undefined || seen === (stored.get(name)?.version ?? 1)) return;
  const latest = await describeLatestVersion(trx, name, timeZone);
  throw new Conflict(`${latest}. ${what}. Nothing was changed.`, 'CONFLICT_STALE');
}

function isActive({ stored, shipped }: Stage, name: string): boolean {
  const module = stored.get(name);
  return shipped.has(name) || (module !== undefined && module.source !== null && module.retired_at === null);
}

function assertActive(stage: Stage, name: string): void {
  if (!isActive(stage, name)) throw new NotFound('Module not found, or it is retired.');
}

/** A text to publish, with the options of the request. */
export interface Publication {
  readonly name: string;
  readonly text: string;
  readonly event: ModuleVersion['event'];
  readonly by: Publisher;
  /** Stored values may be lost. */
  readonly confirm: boolean;
  /** Hidden columns to drop. */
  readonly purge?: readonly string[];
  /** The user has reviewed the shipped version: the text decides what is adopted from it. */
  readonly isReviewed?: boolean;
  /** What its author says about it. */
  readonly note?: string;
}

/**
 * Publishes a text within a stage: validates it with all others, plans, changes its tables, and stores a version.
 * Throws Invalid with problems by path; Conflict if stored values would be lost without confirmation, or PostgreSQL
 * refuses.
 */
async function publishDefinition(stage: Stage, publication: Publication): Promise<Proposal> {
  const { name, text, event, by, note = '' } = publication;
  const proposal = stage.propose(name, text);
  assertNoProblems(name, proposal);
  await changeTables(stage, proposal, publication);
  const module = toStoredModule(stage, publication);
  await storeModule(stage.trx, module, {
    ...{ source: text, event, by },
    ...(note.trim() !== '' && { note: note.trim() }),
  });
  return proposal;
}

/** Whether publishing would change nothing. */
function isUnchanged(stage: Stage, { name, text, purge = [], isReviewed }: Publication): boolean {
  const module = stage.stored.get(name);
  const source = stage.before.sources.get(name);
  if (purge.length > 0 || isReviewed || !module || module.retired_at !== null || !source) return false;
  return text === (module.source ?? serializeSource(source));
}

/** Throws Invalid with the problems of a proposal by their paths. */
export function assertNoProblems(
  name: string,
  { problems }: Pick<Proposal, 'problems'>,
  summary = 'The definition is not valid yet. Nothing was changed.',
): void {
  if (problems.length === 0) return;
  const errors: Record<string, string> = Object.create(null);
  for (const fault of problems) {
    const own = fault.name === name;
    const path = own ? fault.path : '';
    const message = own ? fault.message : `Conflicts with ${fault.name} (${fault.path}): ${fault.message}`;
    errors[path] = errors[path] === undefined ? message : `${errors[path]} ${message}`;
  }
  throw new Invalid(errors, summary);
}

async function changeTables(stage: Stage, proposal: Proposal, publication: Publication): Promise<void> {
  const { name, confirm, purge = [] } = publication;
  try {
    const steps = await planProposal(stage, name, proposal, purge);
    assertNoLosses(steps, confirm);
    const options = {
      destructive: confirm,
      before: stage.before.registry,
      role: stage.role,
      ...(stage.role === 'older' && { resource: name }),
      ...(purge.length > 0 && { purge: { resource: name, columns: purge } }),
    };
    const { refusedSteps: refused } = await syncInTransaction(stage.trx, proposal.registry, options);
    // Rows stored since the plan was made may violate it.
    assertNoLosses(refused, false);
  } catch (error) {
    if (error instanceof PurgeError) throw new Invalid({ purge: error.message });
    if (error instanceof SyncError) throw new Conflict(`${error.message}. Nothing was changed.`);
    throw error;
  }
}

function assertNoLosses(steps: readonly StepSummary[], confirm: boolean): void {
  const losing = steps.filter(({ destructive }) => destructive);
  const forbidden = losing.filter((step) => isForbidden(step as Pick<Step, 'kind' | 'destructive'>));
  if (forbidden.length > 0) {
    throw new Conflict(`${describeSteps(forbidden, 'violating it')} Fix these records first. Nothing was changed.`);
  }
  if (losing.length === 0 || confirm) return;
  const what = losing.every(({ keeps }) => keeps !== undefined) ? 'change' : 'be lost';
  const why = `Stored values may ${what}, so this needs your confirmation. Nothing was changed.`;
  throw new Conflict(`${describeSteps(losing, 'affected')} ${why}`);
}

type StepSummary = Pick<PlanStep, 'text' | 'destructive' | 'keeps'> & { readonly kind: string; readonly rows?: number };

function describeSteps(steps: readonly StepSummary[], what: string): string {
  return steps
    .map(({ text, rows = 0 }) => {
      const counted = rows === 1 ? `1 stored row ${what}` : `${rows} stored rows ${what}`;
      return `${text.replace(/\.$/, '')}: ${counted}.`;
    })
    .join(' ');
}

function toStoredModule(stage: Stage, { name, text, isReviewed }: Publication): StoredModule {
  const module = stage.stored.get(name);
  const shippedText = stage.shipped.get(name);
  const version = (module?.version ?? 0) + 1;
  const row = { name, retired_at: null, version };
  if (shippedText === undefined) return { ...row, origin: 'custom', source: text, base: module?.base ?? null };
  if (text === shippedText) return { ...row, origin: 'shipped', source: null, base: null };
  const base = isReviewed ? shippedText : (module?.base ?? shippedText);
  return { ...row, origin: 'shipped', source: text, base };
}

/** Retires a custom module; its rows and grants are kept. Throws Conflict if other definitions refer to it. */
async function retireModule(stage: Stage, name: string, by: Publisher): Promise<Proposal> {
  const { trx, stored } = stage;
  const module = stored.get(name)!;
  const proposal = stage.propose(name, null);
  if (proposal.problems.length > 0) {
    const places = proposal.problems.map((fault) => `${fault.name} (${fault.path})`);
    throw new Conflict(
      `Other modules refer to this one: ${places.join(', ')}. Change them first. Nothing was changed.`,
    );
  }
  await dropForeignKeys(trx, name, proposal.registry);
  const retired = { ...module, retired_at: new Date(), version: module.version + 1 };
  await storeModule(trx, retired, { source: module.source!, event: 'retired', by });
  return proposal;
}

/**
 * Drops the foreign keys of a retired module, so that its hidden rows do not prevent deleting other records. The keys
 * come back with the module.
 */
async function dropForeignKeys(trx: Transaction, name: string, others: Registry): Promise<void> {
  const current = await introspect(trx);
  const own = moduleTables(name, current.tables.keys(), others);
  await lockWithTargets(trx, own, current);
  for (const [key, table] of current.foreignKeys) {
    if (!own.includes(table)) continue;
    await sql.raw(`alter table ${qualifiedTable(table)} drop constraint ${quoteIdentifier(key)}`).execute(trx);
  }
}

/** Locks tables and those that their foreign keys refer to, as dropping either does. */
async function lockWithTargets(
  trx: Transaction,
  tables: readonly string[],
  { foreignKeys, targets }: CurrentSchema,
): Promise<void> {
  const keys = [...foreignKeys.keys()].filter((key) => tables.includes(foreignKeys.get(key)!));
  const locked = [...tables, ...keys.map((key) => targets.get(key)!)];
  await lockTables(trx, new Map(locked.map((table) => [table, 'access exclusive'])));
}

/** Drops a module's tables with everything in them, and all engine rows about it. */
async function dropTables(trx: Transaction, name: string, others: Registry): Promise<void> {
  const current = await introspect(trx);
  const own = moduleTables(name, current.tables.keys(), others);
  await lockWithTargets(trx, own, current);
  if (own.length > 0) await sql.raw(`drop table ${own.map(qualifiedTable).join(', ')}`).execute(trx);
  const assay = onEngineTables(trx);
  for (const { table, column, outlives } of nameColumns)
    if (!outlives) await sql`delete from assay.${sql.id(table)} where ${sql.id(column)} = ${name}`.execute(trx);
  await assay.deleteFrom('module_drafts').where('name', '=', name).execute();
  await assay.deleteFrom('modules').where('name', '=', name).execute();
}

/** The module's table and its pair tables, including hidden ones. */
function moduleTables(name: string, tables: Iterable<string>, others: Registry): string[] {
  const table = tableOf(name);
  const used = new Set(targetSchema(others).tables.map((wanted) => wanted.name));
  return [...tables].filter((one) => (one === table || one.startsWith(`${table}__`)) && !used.has(one));
}
