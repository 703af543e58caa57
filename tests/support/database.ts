import { randomBytes } from 'node:crypto';
import pg from 'pg';
import pino from 'pino';
import { inject } from 'vitest';
import { openDatabase, type Database } from '../../src/server/database/database';

/** A separate database for a test file. */
export interface TestDatabase {
  readonly url: string;
  readonly database: Database;
  /** Closes and drops it. */
  close(): Promise<void>;
}

/** Creates a database as a copy of the migrated template (the engine's tables, none of a resource), or of another one. */
export async function createTestDatabase(template = inject('template')): Promise<TestDatabase> {
  const name = `assay_test_${randomBytes(6).toString('hex')}`;
  await onServer(`create database ${name} template ${template}`);
  const url = new URL(inject('serverUrl'));
  url.pathname = name;
  const database = openDatabase(url.href, pino({ level: 'silent' }));
  return {
    url: url.href,
    database,
    close: async () => {
      await database.close();
      await onServer(`drop database ${name} with (force)`);
    },
  };
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client(inject('serverUrl'));
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
