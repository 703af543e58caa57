import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { RequestContext } from '../access/request-context';
import type { Row, Transaction } from '../database/database';
import { isInternalColumn } from '../database/json-rows';
import type { Statement } from '../database/statements';
import { fileWriters } from './record-files';
import { needsProcessing } from './requested-fields';
import { completeResponses } from './complete-responses';

/**
 * A record as JSON text, exactly as PostgreSQL returned it, so that nothing has to parse it on its way to the caller.
 */
export class RecordJson {
  constructor(readonly text: string) {}
}

/** A record as sent in a response. */
export type RecordResponse = ResourceRecord | RecordJson;

/** One row returned by a statement. */
export interface ResponseRow {
  readonly answer: RecordResponse;
  /** Internal columns that are not part of the response. */
  readonly beside: Row;
}

/** The record's values, parsed if necessary. */
export function parseResponse(response: RecordResponse): ResourceRecord {
  return response instanceof RecordJson ? (JSON.parse(response.text) as ResourceRecord) : response;
}

/** The response as JSON text. */
export function responseJson(response: unknown): string {
  return response instanceof RecordJson ? response.text : JSON.stringify(response);
}

/**
 * Runs a statement and returns its records, ready to be sent: as JSON text unless hooks or field rules have to process
 * them.
 */
export async function loadResponses(
  context: RequestContext,
  definition: Definition,
  statement: Statement,
  trx?: Transaction,
): Promise<ResponseRow[]> {
  const { database } = context.program;
  if (!trx && database.root === database && !needsProcessing(context, definition, 'one')) {
    const rows = await database.queryAsJson(statement, fileWriters(context.program, definition));
    return rows.map(({ text, beside }) => ({ answer: new RecordJson(text), beside }));
  }
  const rows = await database.query(statement, trx);
  const records = rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !isInternalColumn(name))),
  );
  const responses = await completeResponses(context, definition, records, 'view', trx);
  return responses.map((response, index) => ({ answer: response, beside: rows[index]! }));
}
