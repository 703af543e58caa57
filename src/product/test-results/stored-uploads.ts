import { sql } from 'kysely';
import type { ResourceRecord } from '../../engine/definitions/definition';
import type { Queries, Transaction } from '../../server/database/database';
import type { LoadingPart } from '../answers/loading-parts';
import type { FileFacts } from './reading/worker';
import { oneRow } from '../../server/database/one-row';

/** Tests by their result in an upload, and all their executions. */
export interface UploadTotals {
  readonly tests: number;
  readonly attempts: number;
  readonly passed: number;
  readonly failed: number;
  readonly broken: number;
  readonly skipped: number;
  readonly flaky: number;
}

/** The figures of an upload; those of several batches add up. */
export interface UploadFigures {
  readonly totals: UploadTotals;
  /** Tests that belong to a test case, and others. */
  readonly linked: number;
  readonly unlinked: number;
}

/** The outcome of an upload. */
export interface UploadOutcome extends UploadFigures {
  readonly run_id: number | null;
  readonly dry_run: boolean;
  readonly files: readonly FileFacts[];
  /** New tests that may be earlier ones under another name. */
  readonly proposals: number;
  /** Files of attempts that were stored; those that were left out, and why, in some sentences. */
  readonly attachments: number;
  readonly left_out: number;
  readonly left_out_reasons: readonly string[];
  readonly repeated: boolean;
}

/** An upload as its run keeps it; earlier versions called the part a shard, and kept neither attempt nor hash. */
export interface StoredUpload {
  readonly part?: string | null;
  readonly shard?: string | null;
  readonly attempt?: number;
  readonly batch?: string | null;
  readonly hash?: string;
  /** When it was sent: no other upload of the run has the same moment. */
  readonly at: string;
  /** Left out while it is being stored. */
  readonly outcome?: UploadOutcome;
  /** How much of a large upload is stored. */
  readonly loading?: LoadingState;
}

interface LoadingState {
  readonly tests: number;
  readonly stored: number;
  /** When the latest of them were stored, by the clock of the database. */
  readonly at: string;
  /** It is being taken back. */
  readonly discarded?: boolean;
}

/** Seconds without progress after which an upload counts as interrupted: whoever stored it has ended. */
const patience = 15;

export const uploadsOf = (run: ResourceRecord): readonly StoredUpload[] => (run.uploads as StoredUpload[] | null) ?? [];

export const partOf = ({ part, shard }: StoredUpload): string | null => part ?? shard ?? null;

/** A moment that no upload of the run has: `now`, or a little later. */
export function distinctMoment(uploads: readonly StoredUpload[], now: string): string {
  const moments = new Set(uploads.map(({ at: time }) => Date.parse(time)));
  let moment = Date.parse(now);
  while (moments.has(moment)) moment++;
  return new Date(moment).toISOString();
}

/**
 * Replaces the uploads of a run that the transaction has locked. Without history: it is the progress of an upload, which
 * the history has when it is stored.
 */
export async function writeUploads(run: number, uploads: readonly StoredUpload[], trx: Transaction): Promise<void> {
  await sql`update public.test_runs r set uploads = ${JSON.stringify(uploads)}::jsonb where r.id = ${run}`.execute(trx);
}

/** The moment by the clock of the database, which all servers share. */
export async function databaseMoment(queries: Queries): Promise<string> {
  const row = oneRow(
    await sql<{ at: string }>`
    select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`.execute(queries),
  );
  return row.at;
}

/** Uploads of a run that are not stored entirely, and whether somebody still stores them. */
export async function findLoading(
  queries: Queries,
  run: number,
): Promise<readonly (StoredUpload & { readonly loading: LoadingState; readonly is_interrupted: boolean })[]> {
  const { rows } = await sql<{ upload: StoredUpload & { loading: LoadingState }; is_interrupted: boolean }>`
    select u.value as upload,
      (u.value -> 'loading' ->> 'at')::timestamptz < clock_timestamp() - make_interval(secs => ${patience}) as is_interrupted
    from public.test_runs r cross join lateral jsonb_array_elements(r.uploads) u
    where r.id = ${run} and jsonb_typeof(r.uploads) = 'array' and u.value -> 'loading' is not null`.execute(queries);
  return rows.map(({ upload, is_interrupted }) => ({ ...upload, is_interrupted }));
}

/** The parts of a run that are not stored entirely, as answers have them. */
export async function loadingParts(queries: Queries, run: number): Promise<LoadingPart[]> {
  const uploads = await findLoading(queries, run);
  return uploads.map((upload) => {
    const { tests, stored: storedCount } = upload.loading;
    return { part: partOf(upload), tests, stored: storedCount, is_interrupted: upload.is_interrupted };
  });
}
