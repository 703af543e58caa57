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
import type { Registry } from '../../engine/registry/registry';
import { introspect, type CurrentSchema } from '../sync/row-queries';
import { nameColumns } from '../sync/stored-names';
import { quoteIdentifier, qualifiedTable, targetSchema } from '../sync/target-schema';
import { onEngineTables } from '../database/engine-tables';
import { getOrThrow, requireValue } from '../../engine/values/lookups';

/** Creates a module or reactivates a retired one. Returns its name. Throws Conflict if the name is in use. */
export async function createModule(
  context: RequestContext,
  { definition, confirm = false, note, draft }: NewModule,
): Promise<string> {
  const { name, text } = parseDraft(definition);
  await changeDefinition(context, name, async (stage, publisher) => {
    if (isActive(stage, name)) throw new Conflict(`A module named ${name} already exists.`);
    await endPublishedDraft(context, name, draft, stage.trx);
    return publishDefinition(stage, { name, text, publisher, confirm, note, event: 'published' });
  });
  return name;
}

/** Publishes a definition. Throws NotFound, and Conflict if the draft is based on an outdated version. */
export async function publishModule(
  context: RequestContext,
  name: string,
  { definition, version: base, confirm = false, purge, note, draft, shipped: isReviewed }: Publishing,
): Promise<void> {
  await changeDefinition(context, name, async (stage, publisher) => {
    assertActive(stage, name);
    await assertVersion(context, stage, {
      name,
      seenVersion: base,
      failedAction: `Your draft is based on version ${base}`,
    });
    const { text } = parseDraft(definition, name);
    await endPublishedDraft(context, name, draft, stage.trx);
    return publishIfNew(stage, { name, text, publisher, confirm, purge, note, isReviewed, event: 'published' });
  });
}

/** Publishes an earlier version again. Throws NotFound. */
export async function restoreModule(
  context: RequestContext,
  name: string,
  { version, confirm = false, note }: Restoring,
): Promise<void> {
  await changeDefinition(context, name, async (stage, publisher) => {
    assertActive(stage, name);
    const text = await loadVersionText(stage.trx, name, version);
    if (text === undefined) throw new NotFound(`Version ${version} of ${name} does not exist.`);
    return publishIfNew(stage, { name, text, publisher, confirm, note, event: 'restored' });
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
  await changeDefinition(context, name, async (stage, publisher) => {
    const shippedText = stage.shippedTexts.get(name);
    if (!isActive(stage, name)) return undefined;
    await assertVersion(context, stage, {
      name,
      seenVersion: version,
      failedAction: `You have seen version ${version}`,
    });
    if (shippedText === undefined) return retireModule(stage, name, publisher);
    return publishIfNew(stage, { name, text: shippedText, publisher, confirm, event: 'returned' });
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
    await dropTables(stage.trx, name, stage.current.registry);
    await logDefinitionEvent(context, 'definition_purged', name, stage.trx);
    live.publish({ resource: definitionsResource, id: name, event: 'changed' }, stage.trx);
    return undefined;
  });
  const storedFiles = await onEngineTables(database.kysely)
    .selectFrom('files')
    .select('key')
    .where('resource', '=', name)
    .execute();
  await files.remove(storedFiles.map(({ key }) => key as string));
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
    const version = stage.storedModules.get(name)?.version ?? 0;
    const definitionSet = await run(stage, await loadPublisher(stage, actor));
    if (definitionSet) {
      const { event, version: now } = await latestVersion(stage.trx, name);
      if (now > version)
        await logDefinitionEvent(context, securityEvents[event] ?? 'definition_published', name, stage.trx, {
          version: now,
        });
    }
    return definitionSet;
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
  { storedModules, trx }: Stage,
  {
    name,
    seenVersion,
    failedAction,
  }: { readonly name: string; readonly seenVersion: number | undefined; readonly failedAction: string },
): Promise<void> {
  if (seenVersion === undefined || seenVersion === (storedModules.get(name)?.version ?? 1)) return;
  const latest = await describeLatestVersion(trx, name, timeZone);
  throw new Conflict(`${latest}. ${failedAction}. Nothing was changed.`, 'CONFLICT_STALE');
}

function isActive({ storedModules, shippedTexts }: Stage, name: string): boolean {
  const module = storedModules.get(name);
  return shippedTexts.has(name) || (module !== undefined && module.source !== null && module.retired_at === null);
}

function assertActive(stage: Stage, name: string): void {
  if (!isActive(stage, name)) throw new NotFound('Module not found, or it is retired.');
}

/** A text to publish, with the options of the request. */
export interface Publication {
  readonly name: string;
  readonly text: string;
  readonly event: ModuleVersion['event'];
  readonly publisher: Publisher;
  /** Stored values may be lost. */
  readonly confirm: boolean;
  /** Hidden columns to drop. */
  readonly purge?: readonly string[];
  /** The user has reviewed the shipped version: the text decides what is adopted from it. */
  readonly isReviewed?: boolean;
  /** The author's note about it. */
  readonly note?: string;
}

/**
 * Publishes a text within a stage: validates it with all others, plans, changes its tables, and stores a version.
 * Throws Invalid with problems by path; Conflict if stored values would be lost without confirmation, or PostgreSQL
 * refuses.
 */
async function publishDefinition(stage: Stage, publication: Publication): Promise<Proposal> {
  const { name, text, event, publisher, note = '' } = publication;
  const proposal = stage.propose(name, text);
  assertNoProblems(name, proposal);
  await changeTables(stage, proposal, publication);
  const module = toStoredModule(stage, publication);
  await storeModule(stage.trx, module, {
    ...{ source: text, event, by: publisher },
    ...(note.trim() !== '' && { note: note.trim() }),
  });
  return proposal;
}

/** Whether publishing would change nothing. */
function isUnchanged(stage: Stage, { name, text, purge = [], isReviewed }: Publication): boolean {
  const module = stage.storedModules.get(name);
  const source = stage.current.sources.get(name);
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
    const isOwn = fault.name === name;
    const path = isOwn ? fault.path : '';
    const message = isOwn ? fault.message : `Conflicts with ${fault.name} (${fault.path}): ${fault.message}`;
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
      previousRegistry: stage.current.registry,
      role: stage.role,
      ...(stage.role === 'older' && { resource: name }),
      ...(purge.length > 0 && { purge: { resource: name, columns: purge } }),
    };
    const { refusedSteps } = await syncInTransaction(stage.trx, proposal.registry, options);
    // Rows stored since the plan was made may violate it.
    assertNoLosses(refusedSteps, false);
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
  const consequence = losing.every(({ keeps: keptColumn }) => keptColumn !== undefined) ? 'change' : 'be lost';
  const reason = `Stored values may ${consequence}, so this needs your confirmation. Nothing was changed.`;
  throw new Conflict(`${describeSteps(losing, 'affected')} ${reason}`);
}

type StepSummary = Pick<PlanStep, 'text' | 'destructive' | 'keeps'> & { readonly kind: string; readonly rows?: number };

function describeSteps(steps: readonly StepSummary[], consequence: string): string {
  return steps
    .map(({ text, rows = 0 }) => {
      const rowsText = rows === 1 ? `1 stored row ${consequence}` : `${rows} stored rows ${consequence}`;
      return `${text.replace(/\.$/, '')}: ${rowsText}.`;
    })
    .join(' ');
}

function toStoredModule(stage: Stage, { name, text, isReviewed }: Publication): StoredModule {
  const module = stage.storedModules.get(name);
  const shippedText = stage.shippedTexts.get(name);
  const version = (module?.version ?? 0) + 1;
  const row = { name, retired_at: null, version };
  if (shippedText === undefined) return { ...row, origin: 'custom', source: text, base: module?.base ?? null };
  if (text === shippedText) return { ...row, origin: 'shipped', source: null, base: null };
  const base = isReviewed ? shippedText : (module?.base ?? shippedText);
  return { ...row, origin: 'shipped', source: text, base };
}

/** Retires a custom module; its rows and grants are kept. Throws Conflict if other definitions refer to it. */
async function retireModule(stage: Stage, name: string, publisher: Publisher): Promise<Proposal> {
  const { trx, storedModules } = stage;
  const module = getOrThrow(storedModules, name);
  const proposal = stage.propose(name, null);
  if (proposal.problems.length > 0) {
    const locations = proposal.problems.map((fault) => `${fault.name} (${fault.path})`);
    throw new Conflict(
      `Other modules refer to this one: ${locations.join(', ')}. Change them first. Nothing was changed.`,
    );
  }
  await dropForeignKeys(trx, name, proposal.registry);
  const retired = { ...module, retired_at: new Date(), version: module.version + 1 };
  await storeModule(trx, retired, {
    source: requireValue(module.source, `the source of ${name}`),
    event: 'retired',
    by: publisher,
  });
  return proposal;
}

/**
 * Drops the foreign keys of a retired module, so that its hidden rows do not prevent deleting other records. The keys
 * come back with the module.
 */
async function dropForeignKeys(trx: Transaction, name: string, otherModules: Registry): Promise<void> {
  const current = await introspect(trx);
  const ownTables = moduleTables(name, current.tables.keys(), otherModules);
  await lockWithTargets(trx, ownTables, current);
  for (const [key, table] of current.foreignKeys) {
    if (!ownTables.includes(table)) continue;
    await sql.raw(`alter table ${qualifiedTable(table)} drop constraint ${quoteIdentifier(key)}`).execute(trx);
  }
}

/** Locks tables and those that their foreign keys refer to, as dropping either does. */
async function lockWithTargets(
  trx: Transaction,
  tables: readonly string[],
  { foreignKeys, targets }: CurrentSchema,
): Promise<void> {
  const keys = [...foreignKeys.keys()].filter((key) => tables.includes(getOrThrow(foreignKeys, key)));
  const lockedTables = [...tables, ...keys.map((key) => getOrThrow(targets, key))];
  await lockTables(trx, new Map(lockedTables.map((table) => [table, 'access exclusive'])));
}

/** Drops a module's tables with everything in them, and all engine rows about it. */
async function dropTables(trx: Transaction, name: string, otherModules: Registry): Promise<void> {
  const current = await introspect(trx);
  const ownTables = moduleTables(name, current.tables.keys(), otherModules);
  await lockWithTargets(trx, ownTables, current);
  if (ownTables.length > 0) await sql.raw(`drop table ${ownTables.map(qualifiedTable).join(', ')}`).execute(trx);
  const assay = onEngineTables(trx);
  for (const { table, column, outlives } of nameColumns)
    if (!outlives) await sql`delete from assay.${sql.id(table)} where ${sql.id(column)} = ${name}`.execute(trx);
  await assay.deleteFrom('module_drafts').where('name', '=', name).execute();
  await assay.deleteFrom('modules').where('name', '=', name).execute();
}

/** The module's table and its pair tables, including hidden ones. */
function moduleTables(name: string, tables: Iterable<string>, otherModules: Registry): string[] {
  const table = tableOf(name);
  const usedTables = new Set(targetSchema(otherModules).tables.map((targetTable) => targetTable.name));
  return [...tables].filter(
    (tableName) => (tableName === table || tableName.startsWith(`${table}__`)) && !usedTables.has(tableName),
  );
}
