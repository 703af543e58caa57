import type pg from 'pg';

/** Closes a connection immediately, without a goodbye that an unresponsive server would never receive. */
export function destroyConnection(client: pg.Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
