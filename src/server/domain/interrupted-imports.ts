import { sql } from 'kysely';
import type { Database } from '../database/database';
import type { Program } from '../program';

const lockOf = (key: string) => `import ${key}`;

/**
 * Holds an import, by the key of its file, for as long as this process lives or until the answer is called: whoever
 * finds it running and held by nobody knows that its server ended. Takes a connection.
 */
export async function holdImport({ pool }: Pick<Database, 'pool'>, key: string): Promise<() => Promise<void>> {
  const connection = await pool.connect();
  try {
    await connection.query('select pg_advisory_lock(hashtextextended($1, 0))', [lockOf(key)]);
  } catch (error) {
    connection.release(true);
    throw error;
  }
  return async () => {
    try {
      await connection.query('select pg_advisory_unlock(hashtextextended($1, 0))', [lockOf(key)]);
      connection.release();
    } catch {
      // The lock goes with its connection.
      connection.release(true);
    }
  };
}

/** To be called at the start: imports whose server was killed do not stay running. Those of other servers go on. */
export async function endInterruptedImports({ database, definitions }: Program): Promise<void> {
  if (!definitions.registry().get('imports')) return;
  await sql`update imports set state = 'interrupted', updated_at = now() where state = 'running'
    and pg_try_advisory_xact_lock(hashtextextended(${lockOf('')} || file_key, 0))`.execute(database.kysely);
}
