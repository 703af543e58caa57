import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy to PostgreSQL that behaves like a pooler in transaction mode. */
export interface TransactionPooler {
  readonly url: string;
  /** Statements that such a pooler rejects, or whose effect would be lost with the session. */
  readonly faults: string[];
  close(): Promise<void>;
}

/** Session settings that PgBouncer passes on. */
const passedSettings = ['user', 'database', 'application_name', 'client_encoding', 'TimeZone', 'DateStyle'];
const sessionBound = /^\s*(listen|unlisten|deallocate|prepare|set (?!local|transaction))|pg_(try_)?advisory_lock\(/i;

/** Opens one in front of the database at `target`. Statements pass unchanged; problems are recorded, and rejected in startup messages. */
export async function openTransactionPooler(target: string): Promise<TransactionPooler> {
  const { hostname, port } = new URL(target);
  const faults: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(Number(port), hostname);
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(one);
      one.on('error', () => undefined).on('close', () => (open.delete(one), other.destroy()));
    }
    database.pipe(client);
    let begun = false;
    let waiting = Buffer.alloc(0);
    client.on('data', (part) => {
      waiting = Buffer.concat([waiting, part]);
      for (let head = begun ? 1 : 0; waiting.length >= head + 4; head = 1) {
        const length = head + waiting.readInt32BE(head);
        if (waiting.length < length) return;
        const message = waiting.subarray(0, length);
        waiting = waiting.subarray(length);
        const fault = begun ? poolerError(message) : unsupported(message);
        if (fault !== undefined) faults.push(fault);
        if (fault !== undefined && !begun) return void client.end(rejectionMessage(fault));
        begun = true;
        database.write(message);
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = Object.assign(new URL(target), {
    hostname: '127.0.0.1',
    port: String((server.address() as AddressInfo).port),
  });
  return {
    url: url.href,
    faults,
    close() {
      for (const socket of open) socket.destroy();
      return new Promise((done) => server.close(() => done()));
    },
  };
}

/** The first setting of a startup message that PgBouncer does not support. */
function unsupported(message: Buffer): string | undefined {
  const words = message.subarray(8).toString('utf8').split('\0');
  const names = words.filter((word, index) => index % 2 === 0 && word !== '');
  const unknown = names.find((name) => !passedSettings.includes(name));
  return unknown && `unsupported startup parameter: ${unknown}`;
}

function poolerError(message: Buffer): string | undefined {
  const kind = String.fromCharCode(message[0]!);
  const [first, second] = message.subarray(5).toString('utf8').split('\0');
  if (kind === 'P' && first !== '') return `prepared statement ${first}`;
  const statement = kind === 'Q' ? first! : kind === 'P' ? second! : '';
  return sessionBound.test(statement) ? statement : undefined;
}

function rejectionMessage(words: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${words}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
