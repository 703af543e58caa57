import type { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import type { StoredFile } from '../files/files';
import type { Program } from '../program';

/** The state of an import: that of its job, except that a job which waits to be resumed counts as running. */
export type ImportState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

/** A new entry of the history. */
export interface NewImportEntry {
  readonly type: string;
  readonly company: number | null;
  readonly file: StoredFile;
  readonly fingerprint: string;
  /** The record that was chosen for all records of the file; null if none was requested. */
  readonly chosenRecord: { readonly resource: string; readonly id: number } | null;
}

/** The progress of an import. */
export interface ImportProgress {
  readonly state: ImportState;
  readonly total: number | null;
  readonly imported: number;
  readonly failed: number;
  readonly job: number;
}

/** A previous import of the same file by the same user with the same options. */
export interface PreviousImport {
  readonly at: string;
  readonly state: string;
  readonly imported: number;
}

/** Records imports. */
export interface ImportHistory {
  /** The resource of the history: users who can create its records can import. */
  readonly resource: string;
  /** Creates an entry and returns its id. */
  createEntry(context: RequestContext, trx: Transaction, line: NewImportEntry): Promise<number>;
  /** Saves the progress within a transaction. */
  storeProgress(program: Program, trx: Transaction, id: number, progress: ImportProgress): Promise<void>;
  /** Saves the file with the rejected rows. */
  storeFailedFile(trx: Transaction, id: number, key: string): Promise<void>;
  /** Deletes an entry whose file could not be read. */
  deleteEntry(program: Program, trx: Transaction, id: number): Promise<void>;
  /** The last import with the same fingerprint that is in progress, or that stored something. */
  findPrevious(context: RequestContext, type: string, fingerprint: string): Promise<PreviousImport | undefined>;
}
