import pg from 'pg';
import type { Logger } from 'pino';

type Listener = (payload: string | null) => void;
/** Hears a channel; answers how to stop. */
export type Listen = (channel: string, listener: Listener) => Promise<() => Promise<void>>;

const RETRY = 1_000;

/**
 * Holds one connection that listens, opened with the first listener and opened again whenever it is lost; then every
 * listener is told `null`, as something may have been missed.
 */
export function openNotifications(config: pg.ClientConfig, log: Logger): { listen: Listen; close(): Promise<void> } {
  const listeners = new Map<string, Set<Listener>>();
  let client: Promise<pg.Client> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  const connect = async (): Promise<pg.Client> => {
    const fresh = new pg.Client(config);
    fresh.on('notification', ({ channel, payload }) => {
      for (const listener of listeners.get(channel) ?? []) listener(payload ?? '');
    });
    fresh.on('error', (error) => log.warn(`The listening database connection was lost: ${error.message}`));
    await fresh.connect();
    for (const channel of listeners.keys()) await fresh.query(`listen ${pg.escapeIdentifier(channel)}`);
    fresh.once('end', lost);
    return fresh;
  };

  function lost(): void {
    client = undefined;
    if (closed || listeners.size === 0) return;
    retry = setTimeout(() => {
      client = connect();
      client.then(
        () => listeners.forEach((set) => set.forEach((listener) => listener(null))),
        () => lost(),
      );
    }, RETRY);
  }

  return {
    async listen(channel, listener) {
      const known = listeners.get(channel);
      if (known) known.add(listener);
      else listeners.set(channel, new Set([listener]));
      client ??= connect().catch((error: unknown) => {
        client = undefined;
        throw error;
      });
      await (await client).query(`listen ${pg.escapeIdentifier(channel)}`);
      return async () => {
        const set = listeners.get(channel);
        if (!set?.delete(listener) || set.size > 0) return;
        listeners.delete(channel);
        await client?.then((open) => open.query(`unlisten ${pg.escapeIdentifier(channel)}`)).catch(() => undefined);
      };
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.then((open) => open.end()).catch(() => undefined);
    },
  };
}
