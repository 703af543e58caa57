import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call that a receiver had. */
export interface ReceivedCall {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Another program that webhooks call, on this machine. */
export interface Receiver {
  readonly url: string;
  readonly calls: ReceivedCall[];
  /** What it answers next, and from then on. */
  answer: { status: number; text?: string; headers?: Record<string, string> };
  close(): Promise<void>;
}

export async function startReceiver(host = '127.0.0.1'): Promise<Receiver> {
  const calls: ReceivedCall[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      calls.push({ headers: request.headers, body });
      response.writeHead(receiver.answer.status, receiver.answer.headers).end(receiver.answer.text ?? '');
    });
  });
  await new Promise<void>((done) => server.listen(0, host, done));
  const receiver: Receiver = {
    url: `http://${host}:${(server.address() as AddressInfo).port}/hook`,
    calls,
    answer: { status: 204 },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

/** Checks a signature as the specification of Standard Webhooks describes it, without any code of the program. */
export function isSigned({ headers, body }: ReceivedCall, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const expected = createHmac('sha256', key).update(signed).digest('base64');
  const isRecent = Math.abs(Date.now() / 1_000 - Number(headers['webhook-timestamp'])) < 300;
  return isRecent && String(headers['webhook-signature']).split(' ').includes(`v1,${expected}`);
}
