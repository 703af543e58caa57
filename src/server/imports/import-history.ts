import type { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import type { StoredFile } from '../files/files';
import type { Program } from '../program';

/** The state of an import: that of its job, except that a job which waits to be resumed counts as running. */
export type ImportState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

/** A new entry of the history. */
export interface NewLine {
  readonly type: string;
  readonly company: number | null;
  readonly file: StoredFile;
  readonly fingerprint: string;
  /** The record that was chosen for all records of the file; null if none was requested. */
  readonly asked: { readonly resource: string; readonly id: number } | null;
}

/** The progress of an import. */
export interface LineProgress {
  readonly state: ImportState;
  readonly total: number | null;
  readonly imported: number;
  readonly failed: number;
  readonly job: number;
}

/** A previous import of the same file by the same user with the same options. */
export interface Previous {
  readonly at: string;
  readonly state: string;
  readonly imported: number;
}

/** Records imports. */
export interface ImportHistory {
  /** The resource of the history: users who can create its records can import. */
  readonly resource: string;
  /** Creates an entry and returns its id. */
  begin(context: RequestContext, trx: Transaction, line: NewLine): Promise<number>;
  /** Saves the progress within a transaction. */
  note(program: Program, trx: Transaction, id: number, progress: LineProgress): Promise<void>;
  /** Saves the file with the rejected rows. */
  keepFailed(trx: Transaction, id: number, key: string): Promise<void>;
  /** Deletes an entry whose file could not be read. */
  drop(program: Program, trx: Transaction, id: number): Promise<void>;
  /** The last import with the same fingerprint that is in progress, or that stored something. */
  previous(context: RequestContext, type: string, fingerprint: string): Promise<Previous | undefined>;
}
