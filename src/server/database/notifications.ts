import pg from 'pg';
import type { Logger } from 'pino';
import { DatabaseTimeout } from '../errors/errors';
import { markDatabaseError } from './database-errors';

type Listener = (payload: string | null) => void;
/** Subscribes to a channel; returns a function that unsubscribes. */
export type Listen = (channel: string, listener: Listener) => Promise<() => Promise<void>>;

export interface Notifications {
  readonly listen: Listen;
  /** Whether the connection was alive at its last heartbeat. */
  isAlive(): boolean;
  /** Tells every listener, once for several calls, that notifications may have been missed. */
  announceMissed(): void;
  close(): Promise<void>;
}

/** Milliseconds between two heartbeats, and to wait for a response: a dead connection is noticed within their sum. */
const HEARTBEAT_INTERVAL = 2_000;
const RESPONSE_TIMEOUT = 2_500;
/** Milliseconds between attempts to reconnect: the first pause, doubled each time up to the longest. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;
/** Milliseconds for which several reasons to reload everything are combined. */
const MISSED_DELAY = 250;

/**
 * Keeps one connection for notifications, opened with the first listener. A heartbeat detects that it is lost, even if
 * nobody closed it; it is reopened, and then every listener gets `null`, because notifications may have been missed.
 */
export function openNotifications(config: pg.ClientConfig, log: Logger): Notifications {
  const listeners = new Map<string, Set<Listener>>();
  let client: Promise<pg.Client> | undefined;
  /** The connection that receives notifications now. */
  let currentClient: pg.Client | undefined;
  let hasMissed = false;
  let timer: NodeJS.Timeout | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let pause = FIRST_PAUSE;
  let isClosed = false;

  function open(): Promise<pg.Client> {
    client = connect();
    client.catch(() => (client = undefined));
    return client;
  }

  async function connect(): Promise<pg.Client> {
    const newClient = new pg.Client({
      ...config,
      application_name: 'assay-listen',
      connectionTimeoutMillis: RESPONSE_TIMEOUT,
    });
    newClient.on('notification', ({ channel, payload }) => {
      for (const listener of listeners.get(channel) ?? []) listener(payload ?? '');
    });
    newClient.on('error', (error) => log.warn(`The database connection for notifications was lost: ${error.message}`));
    try {
      await newClient.connect();
      for (const channel of listeners.keys()) await queryInOrder(newClient, listenSql(channel));
    } catch (error) {
      destroy(newClient);
      throw error;
    }
    currentClient = newClient;
    pause = FIRST_PAUSE;
    newClient.once('end', handleLostConnection);
    timer = setTimeout(() => void beat(newClient), HEARTBEAT_INTERVAL);
    if (hasMissed) {
      hasMissed = false;
      log.info('Database notifications are received again; everything that may have been missed is reloaded.');
      scheduleMissedNotice();
    }
    return newClient;
  }

  async function beat(current: pg.Client): Promise<void> {
    try {
      await queryInOrder(current, 'select 1');
      if (current === currentClient) timer = setTimeout(() => void beat(current), HEARTBEAT_INTERVAL);
    } catch {
      // This emits `end`, which `handleLostConnection` handles.
      destroy(current);
    }
  }

  function handleLostConnection(): void {
    client = currentClient = undefined;
    hasMissed = true;
    clearTimeout(timer);
    if (!isClosed && listeners.size > 0) timer = setTimeout(reconnect, FIRST_PAUSE);
  }

  function reconnect(): void {
    if (client) return;
    open().catch(() => {
      pause = Math.min(pause * 2, LONGEST_PAUSE);
      if (!isClosed) timer = setTimeout(reconnect, pause);
    });
  }

  function scheduleMissedNotice(): void {
    gathering ??= setTimeout(() => {
      gathering = undefined;
      for (const set of listeners.values()) for (const listener of set) listener(null);
    }, MISSED_DELAY);
  }

  return {
    announceMissed: scheduleMissedNotice,
    isAlive: () => currentClient !== undefined,
    async listen(channel, listener) {
      const channelListeners = listeners.get(channel);
      if (channelListeners) channelListeners.add(listener);
      else listeners.set(channel, new Set([listener]));
      try {
        await queryInOrder(await (client ?? open()), listenSql(channel));
      } catch (error) {
        listeners.get(channel)?.delete(listener);
        throw markDatabaseError(error);
      }
      return async () => {
        const set = listeners.get(channel);
        if (!set?.delete(listener) || set.size > 0) return;
        listeners.delete(channel);
        await client
          ?.then((current) => queryInOrder(current, `unlisten ${pg.escapeIdentifier(channel)}`))
          .catch(() => undefined);
      };
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      clearTimeout(gathering);
      const current = await client?.catch(() => undefined);
      if (current) await Promise.race([current.end().catch(() => undefined), destroyAfterTimeout(current)]);
    },
  };
}

const listenSql = (channel: string) => `listen ${pg.escapeIdentifier(channel)}`;

/** The last statement of a connection. */
const lastStatements = new WeakMap<pg.Client, Promise<void>>();

/** Runs a statement after all earlier ones, as the driver requires; throws if there is no response in time. */
function queryInOrder(client: pg.Client, statement: string): Promise<void> {
  const answer = (lastStatements.get(client) ?? Promise.resolve()).then(() => queryWithTimeout(client, statement));
  lastStatements.set(
    client,
    answer.catch(() => undefined),
  );
  return answer;
}

async function queryWithTimeout(client: pg.Client, statement: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new DatabaseTimeout()), RESPONSE_TIMEOUT);
  });
  try {
    await Promise.race([client.query(statement), silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** Closes a connection without notifying the server, which may be gone. */
function destroy(client: pg.Client): void {
  streamOf(client).destroy();
}

/** Resolves when closing a connection is given up because the server does not respond. */
function destroyAfterTimeout(client: pg.Client): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(() => {
      destroy(client);
      resolve();
    }, RESPONSE_TIMEOUT).unref();
  });
}

function streamOf(client: pg.Client): { destroy(): void } {
  return (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream;
}
