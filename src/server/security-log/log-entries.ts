import { sql } from 'kysely';
import type { Database, Queries } from '../database/database';
import { queryCacheOf } from '../sql/query-cache';
import type { SecurityEvent } from './events';

/** An entry of the security log as stored. */
export interface LogEntry {
  readonly at: Date;
  readonly event: SecurityEvent;
  readonly user_id: number | null;
  /** The user that they viewed Assay as. */
  readonly viewed_id: number | null;
  readonly site_id: number | null;
  readonly resource: string | null;
  readonly record_id: string | null;
  readonly subject: string | null;
  readonly detail: Readonly<Record<string, unknown>> | null;
  readonly address: string | null;
  readonly agent: string | null;
  readonly request_id: string | null;
  /** How often it happened; repeated events are counted in one entry. */
  readonly times: number;
}

const maxTextLength = 500;
const maxDetailLength = 8_000;

/** Stores entries in one statement. */
export async function insertLogEntries(database: Database, lines: readonly LogEntry[], trx?: Queries): Promise<void> {
  const rows = JSON.stringify(lines.map(sanitizeEntry));
  await sql`insert into assay.security_log
      (at, event, user_id, viewed_id, site_id, resource, record_id, subject, detail, address, agent, request_id, times)
    select at, event, user_id, viewed_id, site_id, resource, record_id, subject, detail, address, agent, request_id, times
    from jsonb_to_recordset(${rows}::jsonb) as line(at timestamptz(3), event text, user_id bigint, viewed_id bigint,
      site_id bigint, resource text, record_id text, subject text, detail jsonb, address text, agent text,
      request_id text, times integer)`.execute(trx ?? database.kysely);
  queryCacheOf(database).invalidate('security_log');
}

/** Shortens values sent by clients, and removes characters that PostgreSQL cannot store. */
function sanitizeEntry(line: LogEntry): LogEntry {
  return {
    ...line,
    subject: sanitizeText(line.subject),
    record_id: sanitizeText(line.record_id),
    detail: sanitizeDetail(line.detail),
    address: sanitizeText(line.address),
    agent: sanitizeText(line.agent),
    request_id: sanitizeText(line.request_id),
  };
}

function sanitizeDetail(detail: LogEntry['detail']): LogEntry['detail'] {
  if (detail === null) return null;
  const text = JSON.stringify(detail, (_key, value: unknown) =>
    typeof value === 'string' ? sanitizeText(value) : value,
  );
  return text.length > maxDetailLength ? { shortened: true } : (JSON.parse(text) as LogEntry['detail']);
}

function sanitizeText<T extends string | null>(text: T): T {
  return (text === null ? null : text.slice(0, maxTextLength).replace(/[\0\p{Surrogate}]/gu, '\ufffd')) as T;
}
