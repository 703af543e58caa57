import type pg from 'pg';

/** Ends a connection at once, without a goodbye that a server which does not answer would never take. */
export function hangUp(client: pg.Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
