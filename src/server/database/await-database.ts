import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { StartError } from '../lifecycle/start-error';
import { describeConnectionError } from './connection-errors';
import { destroyConnection } from './destroy-connection';
import { oneRow } from './one-row';

const minVersion = 150_000;
const attemptTimeout = 5_000;
const retryInterval = 500;

/**
 * Waits until the server at DATABASE_URL accepts connections and writes, at most `limit` milliseconds: it may be
 * starting together with this program, or in the middle of a failover. Throws a StartError that names the setting,
 * immediately if waiting can't help; and the reason of `signal` if the program is stopped meanwhile.
 */
export async function awaitDatabase(url: string, limit: number, log: Logger, signal: AbortSignal): Promise<void> {
  const startTime = Date.now();
  for (let lastLogged = ''; ;) {
    signal.throwIfAborted();
    try {
      return await tryOnce(url);
    } catch (error) {
      if (error instanceof StartError) throw error;
      const { words, mayPass } = await describeConnectionError(error, url);
      const waitedMs = Date.now() - startTime;
      if (!mayPass) throw new StartError(`DATABASE_URL: ${words}`);
      if (waitedMs + retryInterval > limit) {
        throw new StartError(
          `DATABASE_URL: ${words}${limit > 0 ? ` (waited for ${Math.round(waitedMs / 1_000)} s)` : ''}`,
        );
      }
      if (words !== lastLogged)
        log.warn(`DATABASE_URL: ${words}; waiting up to ${Math.ceil((limit - waitedMs) / 1_000)} s for it`);
      lastLogged = words;
    }
    await wait(retryInterval, undefined, { signal });
  }
}

async function tryOnce(url: string): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: attemptTimeout,
    query_timeout: attemptTimeout,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();

    const { version, name, read_only, encoding } = oneRow(
      await client.query<{ version: number; name: string; read_only: string; encoding: string }>(
        `select current_setting('server_version_num')::int as version, current_setting('server_version') as name,
         current_setting('transaction_read_only') as read_only, current_setting('server_encoding') as encoding`,
      ),
    );
    if (version < minVersion) {
      throw new StartError(`DATABASE_URL: the server is PostgreSQL ${name}; Assay needs 15 or newer`);
    }
    if (encoding !== 'UTF8') {
      throw new StartError(
        `DATABASE_URL: the database stores texts in ${encoding}, which has not all characters; create another one with: create database assay encoding 'UTF8' template template0, move your data there with pg_dump and pg_restore if there is any, and name it in DATABASE_URL`,
      );
    }
    if (read_only === 'on') throw Object.assign(new Error('read-only'), { code: '25006' });
  } finally {
    destroyConnection(client);
  }
}
