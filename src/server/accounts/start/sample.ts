import { sql } from 'kysely';
import { isGranted } from '../../../engine/access/access-decision';
import type { Action, Definition } from '../../../engine/definitions/definition';
import { RequestContext } from '../../access/request-context';
import type { Queries, Transaction } from '../../database/database';
import { onEngineTables } from '../../database/engine-tables';
import { transactionDatabase } from '../../database/transaction-database';
import { Conflict, Forbidden, Invalid, NotFound } from '../../errors/errors';
import type { StartSample } from '../../program';
import { createRecord } from '../../records/write/create';
import { purgeRecords, type RecordGroup } from '../../records/write/delete';
import { parseResponse } from '../../records/read/read';
import { resolveRow } from '../resolve-row';
import { idOf } from '../../../engine/definitions/accessors';
import { getOrThrow } from '../../../engine/values/lookups';

/** The sample of the product, if the user belongs to a company and may do this with each kind of its records. */
export function sampleFor({ program, actor, registry }: RequestContext, action: Action): StartSample | undefined {
  const sample = program.product.start?.sample;
  if (!sample || actor.site_id === null || actor.viewer) return undefined;
  const isAllowed = sample.records.every(
    ({ resource }) => registry.get(resource) !== undefined && isGranted(actor, resource, action),
  );
  return isAllowed ? sample : undefined;
}

/** Whether a company has the sample's records. */
export async function hasSample(queries: Queries, site: number): Promise<boolean> {
  const { rows } = await sql`select from assay.sample_records where site_id = ${site} limit 1`.execute(queries);
  return rows.length > 0;
}

/**
 * Creates the sample in the caller's company as they would themselves: with their rights, hooks and history, all of it
 * or nothing. Throws NotFound without a sample, Forbidden, or Conflict if it is there already.
 */
export async function createSample(context: RequestContext): Promise<void> {
  const { sample, site } = checkedSample(context, 'create');
  const { program, actor } = context;
  await program.database.transaction(async (trx) => {
    await lockCompany(trx, site);
    if (await hasSample(trx, site)) throw new Conflict('The sample is there already.');
    const transactionContext = new RequestContext(
      { ...program, database: transactionDatabase(program.database, trx) },
      actor,
    );
    const ids = new Map<string, number>();
    const created: { site_id: number; resource: string; record_id: number }[] = [];
    for (const { resource, rows } of sample.records) {
      const definition = transactionContext.registry.getOrThrow(resource);
      for (const { $key: key, ...fieldValues } of rows) {
        const id = await storeRow(
          transactionContext,
          definition,
          resolveRow(transactionContext, definition, fieldValues, ids),
        );
        if (typeof key === 'string') ids.set(key, id);
        created.push({ site_id: site, resource, record_id: id });
      }
    }
    if (created.length > 0) await onEngineTables(trx).insertInto('sample_records').values(created).execute();
  });
}

async function storeRow(context: RequestContext, definition: Definition, values: Record<string, unknown>) {
  try {
    return idOf(parseResponse(await createRecord(context, definition, { values, text: false })));
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    // The caller has sent none of these values: a definition has changed since the sample was written.
    const reasons = Object.values(error.errors).join(' ');
    throw new Conflict(`The sample does not fit ${definition.labels.many} as they are now: ${reasons}`);
  }
}

/**
 * Deletes what is left of the sample in the caller's company for good, last created first. Throws NotFound without one,
 * Forbidden, or Conflict if own records belong to it; then nothing is deleted.
 */
export async function removeSample(context: RequestContext): Promise<void> {
  const { program, registry } = context;
  const { sample, site } = checkedSample(context, 'delete');
  await program.database.transaction(async (trx) => {
    await lockCompany(trx, site);
    const { rows } = await sql<{ resource: string; record_id: number }>`delete from assay.sample_records
      where site_id = ${site} returning resource, record_id, id`.execute(trx);
    if (rows.length === 0) throw new NotFound('There is no sample in your company.');
    const ids = new Map<string, number[]>();
    for (const { resource, record_id } of rows) ids.set(resource, [...(ids.get(resource) ?? []), record_id]);
    const order = sample.records.map(({ resource }) => resource).reverse();
    const groups = [...ids.keys()]
      .sort((a, b) => order.indexOf(a) - order.indexOf(b))
      .flatMap((resource): RecordGroup[] => {
        const definition = registry.get(resource);
        return definition ? [{ definition, ids: getOrThrow(ids, resource) }] : [];
      });
    await purgeRecords(context, groups, trx);
  });
}

function checkedSample(context: RequestContext, action: Action): { sample: StartSample; site: number } {
  const sample = context.program.product.start?.sample;
  const { site_id: site } = context.actor;
  if (!sample || site === null) throw new NotFound('There is no sample for your company.');
  if (sampleFor(context, action)) return { sample, site };
  throw new Forbidden(`Your role may not ${action} all of the sample's records. Ask an owner of your company.`);
}

/** Two who ask at once get one sample. */
async function lockCompany(trx: Transaction, site: number): Promise<void> {
  await sql`select from public.sites where id = ${site} for update`.execute(trx);
}
