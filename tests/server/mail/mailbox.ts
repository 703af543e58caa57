import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as its reader gets it. */
export interface Received {
  readonly from: string;
  readonly to: readonly string[];
  /** Header names in small letters; of several the last. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string;
}

/** A real SMTP server on this machine that keeps what it is sent. */
export interface PostOffice {
  readonly url: string;
  readonly received: Received[];
  /** Mails that are refused before the next one is taken. */
  refuse(times: number): void;
  /** The next mail that nobody has read yet, as soon as it is there. */
  next(): Promise<Received>;
  close(): Promise<void>;
}

/** Opens a post office on a free port. */
export async function openPostOffice(options: SMTPServerOptions = {}, port = 0): Promise<PostOffice> {
  const received: Received[] = [];
  const waiting: (() => void)[] = [];
  let read = 0;
  let refusals = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH'],
    ...options,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (refusals > 0) {
          refusals--;
          return done(Object.assign(new Error('Come back later'), { responseCode: 451 }));
        }
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          ...readMail(Buffer.concat(chunks).toString()),
        });
        done();
        waiting.shift()?.();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    refuse: (times) => {
      refusals = times;
    },
    async next() {
      if (received.length <= read) await new Promise<void>((resolve) => waiting.push(resolve));
      return received[read++]!;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Reads a mail of two alternatives, text and HTML. */
export function readMail(raw: string): Pick<Received, 'headers' | 'text' | 'html'> {
  const [head, body] = split(raw);
  const boundary = /boundary="([^"]+)"/.exec(head['content-type'] ?? '')?.[1];
  const parts = boundary
    ? body
        .split(`--${boundary}`)
        .slice(1, -1)
        .map((part) => split(part.trimStart()))
    : [];
  const part = (type: string) => {
    const found = parts.find(([headers]) => headers['content-type']?.startsWith(type));
    return found ? decode(found[0]['content-transfer-encoding'] ?? '7bit', found[1]) : '';
  };
  return { headers: head, text: part('text/plain'), html: part('text/html') };
}

function split(raw: string): [Record<string, string>, string] {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ]);
  return [Object.fromEntries(headers) as Record<string, string>, raw.slice(end + 4)];
}

function decode(encoding: string, body: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body.replace(/\r\n/g, '\n');
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString().replace(/\r\n/g, '\n');
}

/** The code in a mail's link. */
export function codeIn(mail: Pick<Received, 'text'>): string {
  const code = /verification_code=(\w+)/.exec(mail.text)?.[1];
  if (!code) throw new Error(`There is no code in:\n${mail.text}`);
  return code;
}
