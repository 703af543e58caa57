import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, Server, type Socket } from 'node:net';

/**
 * How many connections the system completes before the program accepts them. Clients of further ones would have to try
 * again, after one, three and seven seconds.
 */
const backlog = 4_096;

/**
 * A listening socket yields one connection per turn of the event loop (libuv 1.45 and later), and in a rush a turn
 * takes long: hundreds of connections would wait for seconds, health checks among them.
 */
const additionalListeners = 15;

/** Receives a listening socket and sends it back, every time as another descriptor. */
const echoProgram = `process.on('message', (count, handle) => { while (count-- > 0) process.send('', handle); });`;

/** A listening socket as Node sends it to another process; its types know only the servers around it. */
type Handle = Server;

/** Several listeners at one address, whose connections belong to one server. */
export interface Listeners {
  /** Listens. Throws if the address is in use; the additional listeners follow. */
  listen(port: number, host: string): Promise<void>;
  /** Resolves once no further listener is being opened. */
  settled(): Promise<void>;
  /** Stops listening at once; resolves when all connections have ended. Idle ones are not closed. */
  close(): Promise<void>;
}

/**
 * Creates the listeners of a server. Together they accept one connection each per turn of the event loop. A short-lived
 * process duplicates the socket for them, since Node itself cannot; should that fail, the server accepts one connection
 * per turn. Windows accepts many by itself.
 */
export function createListeners(server: Server): Listeners {
  const servers: Server[] = [server];
  let openCommand: ChildProcess | undefined;
  let isClosed = false;

  function openAdditional(): void {
    const { _handle: handle } = server as Server & { readonly _handle?: Handle | null };
    if (process.platform === 'win32' || !handle) return;
    const child = spawn(process.execPath, ['--eval', echoProgram], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    openCommand = child;
    // Until it has ended, its own copy keeps the socket open.
    for (const end of ['error', 'exit']) child.once(end, () => (openCommand = undefined));
    let left = additionalListeners;
    child.on('message', (_message, copy) => {
      if (isClosed) return void (copy as Handle).close();
      const listener = createServer({ allowHalfOpen: true, noDelay: true }, (connection: Socket) =>
        server.emit('connection', connection),
      );
      servers.push(listener.listen(copy, backlog));
      if (--left === 0) child.disconnect();
    });
    child.send(additionalListeners, handle, () => undefined);
  }

  return {
    listen: (port, host) =>
      new Promise((resolve, fail) => {
        server.once('error', fail);
        server.listen({ port, host, backlog }, () => {
          server.off('error', fail);
          openAdditional();
          resolve();
        });
      }),
    settled: () =>
      new Promise((resolve) => {
        if (!openCommand) return resolve();
        for (const end of ['error', 'exit']) openCommand.once(end, () => resolve());
      }),
    async close() {
      isClosed = true;
      openCommand?.kill('SIGKILL');
      // Bypasses the `close` of Node's HTTP server, which closes idle connections at once.
      const close = (closedServer: Server) =>
        new Promise((resolve) => void Server.prototype.close.call(closedServer, resolve));
      await Promise.all(servers.map(close));
    },
  };
}
