import type { ResourceRecord } from '../../../engine/definitions/definition';
import type { FieldErrors } from '../../../engine/validation/validate-values';
import type { QueryScope, RecordScope, TransactionScope } from '../../access/record-scope';
import type { Queries, Transaction } from '../../database/database';
import { HttpError, Invalid } from '../../errors/errors';
import type { Input } from './input';
import type { CheckedReferences, ReferenceChecks } from './references';
import { inSavepoint } from './savepoints';
import { changedFields, type StoredRow } from './stored-row';

/** State shared by the records of one call: references that are already checked, and values that must be unique. */
export class BatchState {
  /** Nothing will be stored, so hooks that would report errors while storing run in advance. */
  constructor(readonly isDryRun = false) {}
  readonly references: CheckedReferences = new Map();
  readonly takenValues = new Set<string>();
  /** The keys of files that waited for a record, and that one of these gets. */
  readonly takenFiles = new Set<string>();
}

/** One call that writes records of a resource. */
export interface Write extends RecordScope {
  /** Undefined where one statement writes the record, without a transaction. */
  readonly trx?: Transaction | undefined;
  /** Of many records: their refusals are collected. Without it the first refusal is thrown. */
  readonly batch?: BatchState | undefined;
}

/** A write within a transaction. */
export type TransactionWrite = Write & TransactionScope;

/** A record on its way into the database. */
export interface RecordWrite {
  /** As it came: to prepare the record again, once others that were stored before it may have changed it. */
  readonly sent: Input;
  /** As far as it counts: without read-only fields, with the stored files and whole rows. */
  readonly input: Input;
  /** The row that changes; undefined for a new record. */
  readonly row?: StoredRow;
  /** The row as it was before records of the same call were stored: the version that the caller saw is compared with it. */
  readonly firstRow?: StoredRow;
  /** Its values, with virtual fields if one was sent. */
  readonly before?: ResourceRecord;
  /** The record as it is to be stored. */
  readonly values: ResourceRecord;
  /** The fields that differ from the stored ones; of a new record those that are known. */
  readonly changed: ReadonlySet<string>;
  /** Nothing differs from what is stored, so that nothing is written. */
  readonly isUnchanged?: boolean;
  /** By field; errors of the record as a whole have an empty name. */
  readonly errors: FieldErrors;
  /** The error that they come from, unless they are its invalid values. */
  readonly refusal?: HttpError;
  /** The checks of references that are left to the statement that writes. */
  readonly checks?: ReferenceChecks | undefined;
}

/**
 * The outcome of one of many records. Errors of the record as a whole have an empty name; `refusal` is the error that
 * they come from, unless they are its invalid values.
 */
export type RowOutcome = { readonly id: number } | RowRefusal;

export interface RowRefusal {
  readonly errors: FieldErrors;
  readonly refusal?: HttpError;
}

/** A new record at the start of its way. */
export function newRecord(input: Input): RecordWrite {
  return { sent: input, input, values: {}, changed: new Set(), errors: {} };
}

/** A stored record at the start of its change. */
export function storedRecord(row: StoredRow, input: Input, firstRow = row): RecordWrite {
  return { sent: input, input, row, firstRow, before: row.values, values: row.values, changed: new Set(), errors: {} };
}

/** The connection over which the steps of a write read. */
export const queriesOf = ({ context, trx }: Write): Queries => trx ?? context.program.database.kysely;

/** A write for functions that only read: over its transaction, or any connection. */
export const queryScopeOf = (write: Write): QueryScope => ({
  context: write.context,
  definition: write.definition,
  queries: queriesOf(write),
});

/** Whether a record can be stored as far as it was checked. */
export const isValidRecord = ({ errors, refusal }: RecordWrite): boolean =>
  !refusal && Object.keys(errors).length === 0;

/** A record with other values, and what differs in them. */
export function withValues({ definition }: Write, record: RecordWrite, values: ResourceRecord): RecordWrite {
  const changedNames = record.before ? changedFields(definition, record.before, values) : new Set(Object.keys(values));
  return { ...record, values, changed: changedNames };
}

/** A step of a write: takes the records that are still on their way, and gives them in the same order. */
export type Step = (write: Write, records: readonly RecordWrite[]) => Promise<readonly RecordWrite[]>;

/** A step that looks at one record at a time. */
export function each(run: (write: Write, record: RecordWrite) => Promise<RecordWrite>): Step {
  return async (write, records) => {
    const next: RecordWrite[] = [];
    for (const record of records) next.push(await collectRefusal(write, record, () => run(write, record)));
    return next;
  };
}

/** As `each`, for code of a product, which may write before it refuses: of many records, each is in a savepoint. */
export function eachUndoable(run: (write: Write, record: RecordWrite) => Promise<RecordWrite>): Step {
  return each(async (write, record) => {
    const { trx, batch } = write;
    if (!batch || !trx) return run(write, record);
    const next = await inSavepoint(trx, () => run(write, record));
    if (next instanceof HttpError) throw next;
    return next;
  });
}

async function collectRefusal(
  { batch }: Write,
  record: RecordWrite,
  run: () => Promise<RecordWrite>,
): Promise<RecordWrite> {
  try {
    return await run();
  } catch (error) {
    if (!batch || !(error instanceof HttpError)) throw error;
    return { ...record, ...toRefusal(error) };
  }
}

/** The outcome of a record that was refused. */
export function toRefusal(refusal: HttpError): Required<RowRefusal> {
  return { errors: refusal instanceof Invalid ? { ...refusal.errors } : { '': refusal.message }, refusal };
}
