import { sql } from 'kysely';
import type { Queries } from '../database/database';

/** PostgreSQL's estimate of the rows of a table in schema `public`; 0 if there is none. */
export async function estimateRows(queries: Queries, table: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select greatest(reltuples, 0)::bigint as rows from pg_class
    where relnamespace = 'public'::regnamespace and relname = ${table}`.execute(queries);
  return rows[0]?.rows ?? 0;
}
