import type { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import type { StoredFile } from '../files/files';
import type { Program } from '../program';

/** How an import stands: as its job, save that a job which waits again after it had begun still counts as running. */
export type ImportState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

/** A line of the history as it begins. */
export interface NewLine {
  readonly type: string;
  readonly company: number | null;
  readonly file: StoredFile;
  readonly fingerprint: string;
  /** The record that was chosen for all records of the file; null where none was asked for. */
  readonly asked: { readonly resource: string; readonly id: number } | null;
}

/** How far an import is. */
export interface LineProgress {
  readonly state: ImportState;
  readonly total: number | null;
  readonly imported: number;
  readonly failed: number;
  readonly job: number;
}

/** The same file, imported before by the same person in the same way. */
export interface Previous {
  readonly at: string;
  readonly state: string;
  readonly imported: number;
}

/** Where imports are written down. */
export interface ImportHistory {
  /** Its resource: who may create there may import. */
  readonly resource: string;
  /** Begins a line, and answers its id. */
  begin(context: RequestContext, trx: Transaction, line: NewLine): Promise<number>;
  /** Says how far it is, with what is stored. */
  note(program: Program, trx: Transaction, id: number, progress: LineProgress): Promise<void>;
  /** Keeps the file of the rows that were refused. */
  keepFailed(trx: Transaction, id: number, key: string): Promise<void>;
  /** Takes a line away, whose file could not be read: nothing came of it. */
  drop(program: Program, trx: Transaction, id: number): Promise<void>;
  /** The last import of the same fingerprint that is under way, or of which something is stored. */
  previous(context: RequestContext, type: string, fingerprint: string): Promise<Previous | undefined>;
}
