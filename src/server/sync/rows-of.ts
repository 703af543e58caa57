import { sql } from 'kysely';
import type { Queries } from '../database/database';

/** About how many rows a table of schema `public` has, as PostgreSQL last counted them; 0 where it never did. */
export async function rowsOf(queries: Queries, table: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select greatest(reltuples, 0)::bigint as rows from pg_class
    where relnamespace = 'public'::regnamespace and relname = ${table}`.execute(queries);
  return rows[0]?.rows ?? 0;
}
