import type { Transaction } from '../database/database';
import type { SecurityEvent } from '../security-log/events';
import { recordSecurityEvent } from '../security-log/security-log';
import type { RequestContext } from '../access/request-context';
import type { DefinitionSet, Stage } from '../definitions/stage';
import type { Publisher } from '../definitions/stored-modules';
import { Conflict, NotFound } from '../errors/errors';
import { definitionsResource } from '../live/live-hub';
import { isUnchanged, publishDefinition, type Publication } from './publish-definition';
import { describeLatestVersion, loadPublisher, loadVersionText } from './versions';
import type { NewModule, Publishing, Restoring } from './calls';
import { parseDraft } from './parse-draft';
import { purgeRetired, retireModule } from './retire';

/** Creates a module or reactivates a retired one. Returns its name. Throws Conflict if the name is in use. */
export async function createModule(
  context: RequestContext,
  { definition, confirm = false }: NewModule,
): Promise<string> {
  const { name, text } = parseDraft(definition);
  await changeDefinition(context, name, async (stage, by) => {
    if (isActive(stage, name)) throw new Conflict(`A module named ${name} already exists.`);
    return publishDefinition(stage, { name, text, by, confirm, event: 'published' });
  });
  return name;
}

/** Publishes a definition. Throws NotFound, and Conflict if the draft is based on an outdated version. */
export async function publishModule(
  context: RequestContext,
  name: string,
  { definition, version: base, confirm = false, purge, shipped: isReviewed }: Publishing,
): Promise<void> {
  await changeDefinition(context, name, async (stage, by) => {
    assertActive(stage, name);
    const version = stage.stored.get(name)?.version ?? 1;
    if (version !== base) {
      const latest = await describeLatestVersion(stage.trx, name, context.timeZone);
      throw new Conflict(`${latest}. Your draft is based on version ${base}. Nothing was changed.`, 'CONFLICT_STALE');
    }
    const { text } = parseDraft(definition, name);
    return publishIfNew(stage, { name, text, by, confirm, purge, isReviewed, event: 'published' });
  });
}

/** Publishes an earlier version again. Throws NotFound. */
export async function restoreModule(
  context: RequestContext,
  name: string,
  { version, confirm = false }: Restoring,
): Promise<void> {
  await changeDefinition(context, name, async (stage, by) => {
    assertActive(stage, name);
    const text = await loadVersionText(stage.trx, name, version);
    if (text === undefined) throw new NotFound(`Version ${version} of ${name} does not exist.`);
    return publishIfNew(stage, { name, text, by, confirm, event: 'restored' });
  });
}

/** Retires a custom module, or resets a shipped one to its shipped definition. */
export async function removeModule(context: RequestContext, name: string, confirm: boolean): Promise<void> {
  await changeDefinition(context, name, async (stage, by) => {
    const shippedText = stage.shipped.get(name);
    if (!isActive(stage, name)) return undefined;
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
    await purgeRetired(stage, name);
    await logDefinitionEvent(context, 'definition_purged', name, stage.trx);
    live.publish({ resource: definitionsResource, id: name, event: 'changed' }, stage.trx);
    return undefined;
  });
  const stored = await database.kysely
    .withSchema('assay')
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
  const latest = await trx
    .withSchema('assay')
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
  await program.definitions.change(name, async (stage) => {
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
}

async function publishIfNew(stage: Stage, publication: Publication): Promise<DefinitionSet | undefined> {
  return isUnchanged(stage, publication) ? undefined : publishDefinition(stage, publication);
}

function isActive({ stored, shipped }: Stage, name: string): boolean {
  const module = stored.get(name);
  return shipped.has(name) || (module !== undefined && module.source !== null && module.retired_at === null);
}

function assertActive(stage: Stage, name: string): void {
  if (!isActive(stage, name)) throw new NotFound('Module not found, or it is retired.');
}
