import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { RequestContext } from '../access/request-context';
import type { Row, Transaction } from '../database/database';
import { isBeside } from '../database/json-rows';
import type { Statement } from '../database/statements';
import { fileWriters } from '../files/record-files';
import { isLookedAt } from './asked-fields';
import { completeAnswers } from './complete';

/**
 * A record as JSON text, exactly as PostgreSQL returned it, so that nothing has to parse it on its way to the caller.
 */
export class RecordText {
  constructor(readonly text: string) {}
}

/** A record as sent in a response. */
export type Answered = ResourceRecord | RecordText;

/** One row returned by a statement. */
export interface AnsweredRow {
  readonly answer: Answered;
  /** Internal columns that are not part of the response. */
  readonly beside: Row;
}

/** The record's values, parsed if necessary. */
export function recordOf(response: Answered): ResourceRecord {
  return response instanceof RecordText ? (JSON.parse(response.text) as ResourceRecord) : response;
}

/** The response as JSON text. */
export function textOf(response: unknown): string {
  return response instanceof RecordText ? response.text : JSON.stringify(response);
}

/**
 * Runs a statement and returns its records, ready to be sent: as JSON text unless hooks or field rules have to process
 * them.
 */
export async function readAnswers(
  context: RequestContext,
  definition: Definition,
  statement: Statement,
  trx?: Transaction,
): Promise<AnsweredRow[]> {
  const { database } = context.program;
  if (!trx && database.root === database && !isLookedAt(context, definition, 'one')) {
    const rows = await database.namedAsJson(statement, fileWriters(context.program, definition));
    return rows.map(({ text, beside }) => ({ answer: new RecordText(text), beside }));
  }
  const rows = await database.named(statement, trx);
  const records = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !isBeside(name))));
  const responses = await completeAnswers(context, definition, records, 'view', trx);
  return responses.map((response, index) => ({ answer: response, beside: rows[index]! }));
}
