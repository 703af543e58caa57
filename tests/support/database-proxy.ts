import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** How a connection is cut at a matching statement. */
export interface ConnectionCut {
  readonly at: RegExp;
  /** Only on a connection that sent a matching statement since its transaction began. */
  readonly after?: RegExp;
  /**
   * `before`: the statement never arrives; `after`: it is executed, but its response never arrives; `terminated`: it is
   * executed, and the response says that an administrator terminated the connection.
   */
  readonly when: 'before' | 'after' | 'terminated';
}

/** A proxy to PostgreSQL whose connections can be cut or frozen. */
export interface DatabaseProxy {
  readonly url: string;
  /** Cuts the next connection that sends such a statement, once. Resolves when it was cut. */
  cut(cut: ConnectionCut): Promise<void>;
  /** Stops all traffic in both directions without closing connections. `only`: on connections that sent a matching statement. */
  freeze(only?: RegExp): void;
  /** Lets new connections pass again; frozen ones stay frozen. */
  thaw(): void;
  close(): Promise<void>;
}

interface ProxiedConnection {
  readonly client: Socket;
  readonly server: Socket;
  readonly statements: Map<string, string>;
  sent: string[];
  frozen: boolean;
  swallowing?: 'after' | 'terminated';
}

/** Opens a proxy on a free port in front of the database at `target`. */
export async function openDatabaseProxy(target: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(target);
  const lines = new Set<ProxiedConnection>();
  let armed: { cut: ConnectionCut; done: () => void } | undefined;
  let frozen = false;

  const end = (line: ProxiedConnection) => {
    lines.delete(line);
    line.client.destroy();
    line.server.destroy();
  };

  /** Whether the statement may pass. */
  const meets = (line: ProxiedConnection, text: string): boolean => {
    if (/^begin/i.test(text)) line.sent = line.sent.filter((one) => /^listen/i.test(one));
    line.sent.push(text);
    if (!armed?.cut.at.test(text)) return true;
    const { cut, done } = armed;
    if (cut.after && !line.sent.some((one) => cut.after!.test(one))) return true;
    armed = undefined;
    done();
    if (cut.when === 'before') {
      end(line);
      return false;
    }
    line.swallowing = cut.when;
    return true;
  };

  const server: Server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const line: ProxiedConnection = {
      client,
      server: upstream,
      statements: new Map(),
      sent: [],
      frozen,
      swallowing: undefined,
    };
    lines.add(line);
    for (const socket of [client, upstream]) socket.setNoDelay(true).on('error', () => end(line));
    client.on('close', () => end(line));
    upstream.on('close', () => end(line));
    const fromClient = messageReader(true);
    const fromServer = messageReader(false);
    client.on('data', (chunk) => {
      if (line.frozen) return;
      for (const { type, body } of fromClient(chunk)) {
        const text = statementOf(line, type, body);
        if (text !== undefined && !meets(line, text)) return;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (line.frozen) return;
      const messages = fromServer(chunk);
      if (!line.swallowing) return void client.write(chunk);
      if (!messages.some(({ type }) => type === 'Z')) return;
      if (line.swallowing === 'terminated') client.end(terminatedMessage);
      else end(line);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);

  return {
    url: url.href,
    cut: (cut) => new Promise((done) => (armed = { cut, done })),
    freeze(only) {
      if (!only) frozen = true;
      for (const line of lines) line.frozen ||= !only || line.sent.some((text) => only.test(text));
    },
    thaw() {
      frozen = false;
    },
    async close() {
      for (const line of [...lines]) end(line);
      server.close();
      await once(server, 'close');
    },
  };
}

interface Message {
  readonly type: string;
  readonly body: Buffer;
}

/** Splits the stream of one direction into messages; the first message of a client has no type. */
function messageReader(isClient: boolean): (chunk: Buffer) => Message[] {
  let rest = Buffer.alloc(0);
  let first = isClient;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const found: Message[] = [];
    for (;;) {
      const head = first ? 0 : 1;
      if (rest.length < head + 4) return found;
      const length = head + rest.readUInt32BE(head);
      if (rest.length < length) return found;
      found.push({ type: first ? '' : String.fromCharCode(rest[0]!), body: rest.subarray(head + 4, length) });
      rest = rest.subarray(length);
      first = false;
    }
  };
}

/** The SQL text that a message executes: of a query, or of the prepared statement that a portal is bound to. */
function statementOf(line: ProxiedConnection, type: string, body: Buffer): string | undefined {
  const [one = '', two = ''] = body.toString('latin1').split('\0');
  if (type === 'Q') return one;
  if (type === 'P') line.statements.set(one, two);
  return type === 'B' ? line.statements.get(two) : undefined;
}

const fields = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
const terminatedMessage = Buffer.concat([Buffer.from('E'), int32(4 + fields.length), Buffer.from(fields, 'latin1')]);

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
