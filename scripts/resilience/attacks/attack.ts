import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { RunningDatabase } from '../database';
import type { StepContext } from '../step';
import type { RunningServer } from '../server';

/** The environment of an attack: a separate program, and a neighbour company that must not be affected. */
export interface AttackTarget {
  readonly context: StepContext;
  readonly server: RunningServer;
  readonly port: number;
  readonly database: RunningDatabase;
  /** Tokens of people by their demo address, as in `owner@demo.test`; they are signed in once. */
  token(email: string): Promise<string>;
}

/** An attack that once stopped the program. */
export interface Attack {
  readonly name: string;
  /** Resolves with a description of the result. Throws if the attack succeeded. */
  run(target: AttackTarget): Promise<string>;
}

export const owner = 'owner@demo.test';
export const neighbour = 'owner@harbour.test';

/** The response on a connection; status 0 if it was cut off. */
export interface RawAnswer {
  readonly status: number;
  /** Bytes sent before the response. */
  readonly sentBytes: number;
}

/**
 * Writes text on a connection, then `extraChunk` again and again while it is accepted, until the response or the end of
 * the connection.
 */
export function sendRaw(port: number, text: string, extraChunk?: Buffer): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let [received, sentBytes] = ['', 0];
    const send = () => {
      while (extraChunk && received === '' && !socket.destroyed) {
        sentBytes += extraChunk.length;
        if (!socket.write(extraChunk)) return;
      }
    };
    const end = () => resolve({ status: Number(received.split(' ')[1] ?? 0), sentBytes });
    socket
      .on('drain', send)
      .on('error', () => undefined)
      .on('close', end);
    socket.on('data', (chunk: Buffer) => {
      if (received === '') received = chunk.toString('latin1');
      if (extraChunk) socket.end();
    });
    socket.write(text, 'latin1');
    send();
  });
}

/** The head of a request with a body; without a length it comes in chunks. */
export function headOf(
  method: string,
  path: string,
  type: string,
  { token, length }: { token?: string; length?: number } = {},
): string {
  return [
    `${method} /api${path} HTTP/1.1`,
    'Host: localhost',
    `Content-Type: ${type}`,
    length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    'Connection: close',
    '\r\n',
  ].join('\r\n');
}

export const formType = 'multipart/form-data; boundary=x';
export const formPart = (name: string, file?: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${file ? `; filename="${file}"` : ''}\r\n\r\n`;

/** Keeps connections open and sends a text byte by byte, once a second. Returns how many of them are open. */
export function sendSlowly(port: number, texts: readonly string[]): { open(): number; close(): void } {
  const sockets = new Set<Socket>();
  for (const text of texts) {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    sockets.add(socket);
    socket
      .on('error', () => undefined)
      .on('close', () => sockets.delete(socket))
      .on('end', () => socket.destroy())
      .resume();
  }
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.readyState === 'open') socket.write('x');
  }, 1_000);
  return {
    open: () => sockets.size,
    close() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}

export interface SentRequest {
  readonly method?: string;
  readonly token?: string;
  readonly body?: string | Buffer;
  readonly type?: string;
  /** The address of this machine that it comes from. */
  readonly localAddress?: string;
}

export interface AttackResponse {
  readonly status: number;
  readonly text: string;
  readonly milliseconds: number;
}

/** One call on its own connection; status 0 if it broke. */
export function sendRequest(
  { port }: Pick<AttackTarget, 'port'>,
  path: string,
  { method = 'GET', token, body, type = 'application/json', localAddress }: SentRequest = {},
): Promise<AttackResponse> {
  const startTime = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, text: string) =>
      resolve({ status, text, milliseconds: performance.now() - startTime });
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
    };
    const clientRequest = request({
      host: '127.0.0.1',
      port,
      path: `/api${path}`,
      method,
      headers,
      agent: false,
      localAddress,
    });
    clientRequest.on('error', (error) => end(0, error.message));
    clientRequest.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        if (text.length < 100_000) text += part;
      });
      answer.on('end', () => end(answer.statusCode!, text)).on('error', (error) => end(0, error.message));
    });
    clientRequest.end(body);
  });
}

/** Registers a company. */
export function register(target: Pick<AttackTarget, 'port'>, localAddress?: string): Promise<AttackResponse> {
  const body = JSON.stringify({
    first_name: 'Ada',
    last_name: 'Novak',
    site_name: 'Novak Testing',
    email: `${randomUUID()}@novak.test`,
    password: 'Quiet#Harbour7',
  });
  return sendRequest(target, '/register', { method: 'POST', body, localAddress });
}

/** The token of a company that registered a moment ago. */
export async function registeredToken(target: Pick<AttackTarget, 'port'>): Promise<string> {
  const registration = await register(target, '127.0.0.9');
  assertStatus(registration, [200], 'a registration');
  return (JSON.parse(registration.text) as { token: string }).token;
}

/** The body of a form with one file. */
export function formWith(name: string, file: string, bytes: Buffer | string): Buffer {
  return Buffer.concat([Buffer.from(formPart(name, file)), Buffer.from(bytes), Buffer.from('\r\n--x--\r\n')]);
}

/** Throws if a response has another status. */
export function assertStatus(
  { status, text = '' }: { status: number; text?: string },
  statuses: readonly number[],
  description: string,
): void {
  if (!statuses.includes(status)) throw new Error(`${description} is answered with ${status} ${text.slice(0, 200)}`);
}
