import { Agent, createServer, get, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createListeners, type Listeners } from '../../../src/server/http/listeners';

let listeners: Listeners;
let server: Server;
let port: number;
const sockets: Socket[] = [];

async function listen(answer = 'yes'): Promise<void> {
  server = createServer((_request, response) => response.end(answer));
  listeners = createListeners(server);
  await listeners.listen(0, '127.0.0.1');
  ({ port } = server.address() as AddressInfo);
}

afterEach(async () => {
  for (const client of sockets.splice(0)) client.destroy();
  server.closeAllConnections();
  await listeners.close();
});

test.skipIf(process.platform === 'win32')('sixteen connections are accepted in a turn of the event loop', async () => {
  await listen();
  await listeners.settled();
  const perTurn: number[] = [];
  let accepted = 0;
  const all = new Promise<void>((done) => server.on('connection', () => ++accepted === 64 && done()));
  for (let count = 0; count < 64; count++) sockets.push(connect(port, '127.0.0.1').on('error', () => undefined));
  let [before, isOver] = [0, false];
  const turn = () => {
    if (accepted > before) perTurn.push(accepted - before);
    before = accepted;
    if (!isOver) setImmediate(turn);
  };
  turn();
  await all;
  isOver = true;
  turn();
  expect(Math.max(...perTurn)).toBe(16);
});

test('whichever listener accepted a connection, it is served, kept, and closed by the server', async () => {
  await listen();
  await listeners.settled();
  const agent = new Agent({ keepAlive: true, maxSockets: 40 });
  const ask = () =>
    new Promise<string | undefined>((done, fail) => {
      get({ port, host: '127.0.0.1', agent }, (response) => {
        response.resume().once('end', () => done(response.headers.connection));
      }).once('error', fail);
    });
  for (let round = 0; round < 2; round++) {
    expect(await Promise.all(Array.from({ length: 40 }, ask))).toEqual(Array.from({ length: 40 }, () => 'keep-alive'));
  }
  const opened = Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []);
  expect(opened).toHaveLength(40);
  const ended = Promise.all(opened.map((socket) => new Promise<void>((done) => socket.once('close', () => done()))));
  const closed = listeners.close();
  server.closeIdleConnections();
  await Promise.all([closed, ended]);
  await expect(ask()).rejects.toThrow(/ECONNREFUSED/);
});

test('a server that closes while its listeners are being opened leaves none behind', async () => {
  await listen();
  await listeners.close();
  await listeners.settled();
  const refused = new Promise<string | undefined>((done) => {
    sockets.push(connect(port, '127.0.0.1').once('error', (error: NodeJS.ErrnoException) => done(error.code)));
  });
  expect(await refused).toBe('ECONNREFUSED');
});
