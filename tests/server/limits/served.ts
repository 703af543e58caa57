import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { buildApp } from '../../../src/server/http/app';
import type { DocumentedCall } from '../../../src/server/routing/call-description';
import { createListeningServer } from '../../../src/server/http/listening-server';
import { registerEvents } from '../../../src/server/events/events-route';
import { freePort } from '../../../src/server/database/embedded/free-port';
import type { Program } from '../../../src/server/program';
import { authenticate, onAccessChange, currentActor } from '../../../src/server/accounts/session/authenticate';
import { password } from '../../support/accounts';
import { createTestDatabase } from '../../support/database';
import { startOnFixture } from '../../support/demo';

/** What came back on a connection. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Bytes that were sent until it came. */
  readonly sent: number;
}

/** A program as it runs, behind its own server. */
export interface Served {
  readonly program: Program;
  readonly port: number;
  readonly address: string;
  /** The paths that visitors may call with a body, with their methods. */
  readonly open: readonly (readonly [method: string, path: string])[];
  signIn(email: string): Promise<string>;
  /**
   * Writes text on a connection, then pieces of `more` for as long as they are taken; answers what came back until its
   * end. A connection that was cut off while it sent has no status.
   */
  raw(text: string, more?: Buffer): Promise<RawAnswer>;
  /** The files on their way in. */
  uploads(): string[];
  close(): Promise<void>;
}

/** Starts a program on demo data behind a server of its own. */
export async function serve(env: Record<string, string>): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-limits-'));
  const test = await createTestDatabase(inject('fixture'));
  const { program, stop } = await startOnFixture(test.url, { env: { DATA_DIR: folder, ...env } });
  const front = createListeningServer(program.health);
  const port = await freePort();
  await front.listen(port, '127.0.0.1');
  let described: readonly DocumentedCall[] = [];
  const app = await buildApp(program, {
    appFolder: 'none',
    front,
    routes: [
      (api) => {
        described = api.describedCalls;
        registerEvents(api, program, {
          authenticate: (request) => authenticate(program, request),
          currentActor: (request) => currentActor(program, request),
          filterVisible: async (_, events) => events,
          onAccessChange: (listener) => onAccessChange(program, listener),
        });
      },
    ],
  });
  const address = `http://127.0.0.1:${port}`;
  return {
    program,
    port,
    address,
    open: described
      .filter(({ scope, method }) => scope === 'public' && method !== 'get')
      .map(({ method, path }) => [method.toUpperCase(), path] as const),
    async signIn(email) {
      const answer = await fetch(`${address}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password }),
      });
      return ((await answer.json()) as { token: string }).token;
    },
    raw: (text, more) => raw(port, text, more),
    uploads() {
      try {
        return readdirSync(join(folder, 'uploads'));
      } catch {
        return [];
      }
    },
    async close() {
      const drained = front.drain(1_000);
      await app.close();
      await drained;
      await stop();
      await test.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function raw(port: number, text: string, more?: Buffer): Promise<RawAnswer> {
  return new Promise((done, fail) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    let sent = 0;
    const send = () => {
      while (more && received === '' && !socket.destroyed) {
        sent += more.length;
        if (!socket.write(more)) return;
      }
    };
    socket.on('drain', send);
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
    // Whoever is cut off while they send may never read why.
    socket.on('error', (error) => received === '' && !more && fail(error));
    socket.on('close', () => done({ ...parsed(received), sent }));
    socket.write(text, 'latin1');
    send();
  });
}

function parsed(received: string): Omit<RawAnswer, 'sent'> {
  const end = received.indexOf('\r\n\r\n');
  const [start = '', ...lines] = received.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { status: Number(start.split(' ')[1]), headers, text: received.slice(end + 4) };
}
