import pg from 'pg';
import { StartError } from '../lifecycle/start-error';
import { toStartError } from './connection-errors';
import type { Database } from './database';
import { destroyConnection } from './destroy-connection';
import { idleTimeout, lockTimeout, readTimeout } from './timeouts';
import { oneRow } from './one-row';

const connectTimeout = 5_000;

/** The settings that every session of the pool needs, by PostgreSQL's names. */
const requiredSettings = {
  timezone: 'UTC',
  statement_timeout: String(readTimeout),
  lock_timeout: String(lockTimeout),
  idle_in_transaction_session_timeout: String(idleTimeout),
};

/**
 * Checks the settings of a session: a connection pooler drops those requested when a session starts, so the time zone
 * and the time limits have to be set on the role. Throws a StartError that says how.
 */
export async function checkSessions({ pool }: Database, url: string): Promise<void> {
  const {
    timezone,
    iso,
    limited: isLimited,
    user,
  } = oneRow(
    await pool
      .query<SessionSettings>(
        `select current_setting('TimeZone') as timezone, current_setting('DateStyle') like 'ISO%' as iso, current_user as user,
        current_setting('statement_timeout') <> '0' and current_setting('lock_timeout') <> '0'
        and current_setting('idle_in_transaction_session_timeout') <> '0' as limited`,
      )
      .catch(async (error: unknown) => {
        if (/unsupported startup parameter/i.test((error as Error).message)) throw new StartError(settingsRefused);
        throw await toStartError(error, url);
      }),
  );
  if (['UTC', 'Etc/UTC'].includes(timezone) && iso && isLimited) return;
  const role = pg.escapeIdentifier(user);
  const commands = Object.entries(requiredSettings).map(
    ([name, value]) => `alter role ${role} set ${name} = '${value}'`,
  );
  throw new StartError(
    `DATABASE_URL: sessions behind a connection pooler need their settings from the role. Run on the server: ${commands.join('; ')}; and then RECONNECT in the console of PgBouncer`,
  );
}

interface SessionSettings {
  readonly timezone: string;
  readonly iso: boolean;
  readonly limited: boolean;
  readonly user: string;
}

const settingsRefused =
  'DATABASE_URL: the connection pooler there refuses session settings: set DATABASE_DIRECT_URL to the address of the PostgreSQL server behind it';

/** Throws a StartError unless both addresses lead to the same database. */
export async function checkSameDatabase(url: string, directUrl: string): Promise<void> {
  const [pooled, direct] = [
    await databaseIdentity(url, 'DATABASE_URL'),
    await databaseIdentity(directUrl, 'DATABASE_DIRECT_URL'),
  ];
  if (pooled === direct) return;
  throw new StartError('DATABASE_DIRECT_URL: it leads to another database than DATABASE_URL does');
}

async function databaseIdentity(url: string, setting: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeout });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const row = oneRow(
      await client.query<{ identity: string }>(
        `select oid || ' ' || pg_postmaster_start_time() as identity from pg_database where datname = current_database()`,
      ),
    );
    return row.identity;
  } catch (error) {
    const { message } = await toStartError(error, url);
    throw new StartError(message.replace('DATABASE_URL', setting));
  } finally {
    destroyConnection(client);
  }
}
