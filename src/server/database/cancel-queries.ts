import { connect } from 'node:net';
import type pg from 'pg';

/** Properties of a connection that the driver's types leave out. */
interface DriverClient {
  readonly host: string;
  readonly port: number;
  readonly processID: number | null;
  readonly secretKey: number | null;
  readonly _activeQuery: unknown;
}

const cancelRequest = 80_877_102;
const cancelTimeout = 1_000;

/**
 * Tracks the connections of a pool from now on. Returns a function that asks the server to cancel whatever they are
 * running, through PostgreSQL's protocol: with the address and key of each connection, which connection poolers
 * understand too.
 */
export function trackConnections(pool: pg.Pool): () => void {
  const open = new Set<pg.PoolClient>();
  pool.on('connect', (client) => open.add(client));
  pool.on('remove', (client) => open.delete(client));
  return () => {
    for (const client of open) {
      const known = client as unknown as DriverClient;
      if (known._activeQuery && known.processID !== null) cancel(known);
    }
  };
}

function cancel({ host, port, processID, secretKey }: DriverClient): void {
  const message = Buffer.alloc(16);
  [16, cancelRequest, processID!, secretKey!].forEach((number, index) => message.writeInt32BE(number | 0, 4 * index));
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  // There is no response, and a server that can't be reached has nothing left to cancel.
  socket.setTimeout(cancelTimeout, () => socket.destroy()).on('error', () => socket.destroy());
  socket.end(message);
}
