import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { RequestContext } from '../access/request-context';
import type { Row, Transaction } from '../database/database';
import { isBeside } from '../database/json-rows';
import type { Statement } from '../database/statements';
import { fileWriters } from '../files/record-files';
import { isLookedAt } from './asked-fields';
import { completeAnswers } from './complete';

/** A record as the text of its JSON, as PostgreSQL wrote it: nothing on its way to the caller has to look at it. */
export class RecordText {
  constructor(readonly text: string) {}
}

/** A record as it is answered. */
export type Answered = ResourceRecord | RecordText;

/** What a statement brought of one record. */
export interface AnsweredRow {
  readonly answer: Answered;
  /** Its columns that are no part of the answer. */
  readonly beside: Row;
}

/** The record's values. */
export function recordOf(answer: Answered): ResourceRecord {
  return answer instanceof RecordText ? (JSON.parse(answer.text) as ResourceRecord) : answer;
}

/** The text of an answer. */
export function textOf(answer: unknown): string {
  return answer instanceof RecordText ? answer.text : JSON.stringify(answer);
}

/** The records that a statement brings, ready to be answered: as texts, unless hooks or rules look at them. */
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
  const answers = await completeAnswers(context, definition, records, 'view', trx);
  return answers.map((answer, index) => ({ answer, beside: rows[index]! }));
}
