import { sql } from 'kysely';
import type { RequestContext } from '../../server/access/request-context';
import { allowLongStatements } from '../../server/database/timeouts';
import type { Transaction } from '../../server/database/database';
import { publishRecordChange } from '../../server/records/write/row-writes';
import { attempts, entries, runs } from '../test-runs/definitions';
import { renewResults } from './renew-results';
import { partOf, writeUploads, type StoredUpload } from './stored-uploads';

/** How many attempts are taken back in one transaction. */
const batchSize = 1_000;

/**
 * Takes back what is stored of an upload that has not come to its end: its attempts, the tests that only it has brought
 * into the run, and the run itself if it was made by it. Batch by batch, as it was stored; the mark of the upload goes
 * last. Nothing happens if it is stored entirely, or gone.
 */
export async function discardUpload(
  context: RequestContext,
  run: number,
  upload: Pick<StoredUpload, 'at'>,
): Promise<void> {
  const { database } = context.program;
  for (let isDone = false; !isDone;) {
    isDone = await database.transaction(async (trx) => {
      await allowLongStatements(trx);
      const { rows } = await sql<{ uploads: StoredUpload[] | null; site_id: number; created_at: string }>`
        select r.uploads, r.site_id, r.created_at from public.test_runs r where r.id = ${run}
        for no key update of r`.execute(trx);
      const row = rows[0];
      const isInterrupted = (mark: StoredUpload) => mark.at === upload.at && mark.loading !== undefined;
      const mark = row?.uploads?.find(isInterrupted);
      if (!row?.uploads || !mark?.loading) return true;
      const { uploads } = row;
      const count = await discardBatch(context, run, mark, trx);
      const record = { id: 0, site_id: row.site_id };
      for (const resource of [entries, attempts])
        publishRecordChange(context.program, context.registry.getOrThrow(resource), record, 'changed', trx);
      if (count === batchSize) {
        // A request that still stores it reads this mark and stops.
        const loading = { ...mark.loading, discarded: true };
        await writeUploads(
          run,
          uploads.map((upload) => (upload === mark ? { ...mark, loading } : upload)),
          trx,
        );
        return false;
      }
      const otherUploads = uploads.filter((upload) => upload !== mark);
      await writeUploads(run, otherUploads, trx);
      if (otherUploads.length === 0) await deleteEmptyRun(context, run, mark.at, trx);
      return true;
    });
  }
}

/** Takes back some attempts of the upload; returns how many. */
async function discardBatch(
  context: RequestContext,
  run: number,
  upload: StoredUpload,
  trx: Transaction,
): Promise<number> {
  const { actor, now } = context;
  await sql`create temp table discarded on commit drop as
    select a.id, a.entry_id, e.automated_test_id from public.attempts a join public.run_entries e on e.id = a.entry_id
    where e.run_id = ${run} and a.source = 'machines' and a.created_at = ${upload.at}::timestamptz
      and a.shard is not distinct from ${partOf(upload)}::text
    order by a.entry_id, a.id limit ${batchSize}`.execute(trx);
  await sql`analyze discarded`.execute(trx);
  const { numAffectedRows } = await sql`delete from public.attempts a using discarded d where a.id = d.id`.execute(trx);
  // A test with which somebody has done something since stays in the run, without a result.
  await sql`with gone as (
      delete from public.run_entries e where e.id in (select d.entry_id from discarded d)
        and e.created_at = ${upload.at}::timestamptz and e.assigned_to is null and e.defect_id is null and e.defect_url is null
        and not exists (select from public.attempts a where a.entry_id = e.id)
      returning e.site_id, e.id, e.name, e.automated_test_id)
    insert into assay.history (site_id, resource, record_id, event, old_values, user_id, created_at)
    select g.site_id, ${entries}, g.id, 'deleted', jsonb_build_object('name', g.name, 'run_id', ${run}::bigint, 'automated_test_id', g.automated_test_id),
      ${actor.id}::bigint, ${now}::timestamptz from gone g`.execute(trx);
  await sql`update public.run_entries e set result = 'not_run', elapsed_seconds = null, comment = null, run_by = null, run_at = null
    where e.id in (select d.entry_id from discarded d) and not exists (select from public.attempts a where a.entry_id = e.id)`.execute(
    trx,
  );
  await renewResults(context, sql`select d.entry_id from discarded d`, trx);
  await sql`select from public.automated_tests a where a.id in (select d.automated_test_id from discarded d) order by a.id
    for no key update of a`.execute(trx);
  await sql`update public.automated_tests a set last_result = x.result, last_run_at = x.run_at
    from (select distinct on (d.automated_test_id) d.automated_test_id, e.result, e.run_at
      from (select distinct o.automated_test_id from discarded o) d
      left join public.run_entries e on e.automated_test_id = d.automated_test_id and e.result <> 'not_run'
      order by d.automated_test_id, e.run_id desc nulls last, e.id desc) x
    where a.id = x.automated_test_id`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Deletes a run that an upload has made, and in which there is nothing. */
async function deleteEmptyRun(
  context: RequestContext,
  run: number,
  uploadTime: string,
  trx: Transaction,
): Promise<void> {
  const { actor, now, program, registry } = context;
  const { rows } = await sql<{ site_id: number }>`with gone as (
      delete from public.test_runs r where r.id = ${run} and r.source = 'machines' and r.created_at = ${uploadTime}::timestamptz
        and not exists (select from public.run_entries e where e.run_id = r.id)
      returning r.id, r.key, r.name, r.site_id),
    told as (insert into assay.history (site_id, resource, record_id, event, old_values, user_id, created_at)
      select g.site_id, ${runs}, g.id, 'deleted', jsonb_build_object('key', g.key, 'name', g.name), ${actor.id}::bigint, ${now}::timestamptz from gone g)
    select g.site_id from gone g`.execute(trx);
  if (rows[0]) publishRecordChange(program, registry.getOrThrow(runs), { id: 0, ...rows[0] }, 'changed', trx);
}
