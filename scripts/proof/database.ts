import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { startEmbedded } from '../../src/server/database/embedded/start-embedded';
import type { Proof } from './proof';

/** A PostgreSQL server of the step's own, beside the programs that use it. */
export interface ProofDatabase {
  readonly url: string;
  /** Runs a statement on a connection of its own. */
  query<T extends object = object>(text: string, values?: readonly unknown[]): Promise<T[]>;
}

/** Starts a packaged PostgreSQL, for programs that are given its address as DATABASE_URL. */
export async function startDatabase(proof: Proof): Promise<ProofDatabase> {
  const log = pino({ level: 'silent' });
  const { url, stop } = await startEmbedded({ dataDir: join(proof.folder, 'database'), log });
  proof.after(stop);
  return {
    url,
    async query<T extends object>(text: string, values: readonly unknown[] = []) {
      const client = new pg.Client(url);
      client.on('error', () => undefined);
      await client.connect();
      try {
        return (await client.query(text, [...values])).rows as T[];
      } finally {
        await client.end().catch(() => undefined);
      }
    },
  };
}
