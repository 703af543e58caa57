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

/** The connections of a pool that are open. */
export interface TrackedConnections {
  /**
   * Asks the server to cancel whatever they are running, through PostgreSQL's protocol: with the address and key of each
   * connection, which connection poolers understand too.
   */
  cancelStatements(): void;
  /** The processes of the server that they lead to; behind a pooler, numbers that it has made up. */
  processIds(): readonly number[];
}

/** Tracks the connections of a pool from now on. */
export function trackConnections(pool: pg.Pool): TrackedConnections {
  const open = new Set<DriverClient>();
  pool.on('connect', (client) => open.add(client as unknown as DriverClient));
  pool.on('remove', (client) => open.delete(client as unknown as DriverClient));
  return {
    cancelStatements() {
      for (const client of open) if (client._activeQuery) cancel(client);
    },
    processIds: () => [...open].flatMap(({ processID }) => processID ?? []),
  };
}

function cancel({ host, port, processID, secretKey }: DriverClient): void {
  if (processID === null || secretKey === null) return;
  const message = Buffer.alloc(16);
  [16, cancelRequest, processID, secretKey].forEach((number, index) => message.writeInt32BE(number | 0, 4 * index));
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  // There is no response, and a server that can't be reached has nothing left to cancel.
  socket.setTimeout(cancelTimeout, () => socket.destroy()).on('error', () => socket.destroy());
  socket.end(message);
}
