import { createSocket } from 'node:dgram';

/** A DNS server on loopback that has TXT records only. */
export interface NameServer {
  /** Its address in the form of the setting DNS_SERVERS. */
  readonly address: string;
  readonly records: Map<string, string>;
  stop(): Promise<void>;
}

/** Starts a DNS server without records. */
export async function startNameServer(): Promise<NameServer> {
  const records = new Map<string, string>();
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => socket.send(respondTo(question, records), port, address));
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    stop: () => new Promise((done) => socket.close(() => done())),
  };
}

function respondTo(question: Buffer, records: ReadonlyMap<string, string>): Buffer {
  const labels: string[] = [];
  let at = 12;
  while (question[at] !== 0) {
    labels.push(question.toString('ascii', at + 1, at + 1 + question[at]!));
    at += question[at]! + 1;
  }
  const asked = question.subarray(12, at + 5);
  const text = records.get(labels.join('.').toLowerCase());
  const header = Buffer.from(question.subarray(0, 12));
  // A response to a query with recursion; without a record, the name does not exist.
  header.writeUInt16BE(text === undefined ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(text === undefined ? 0 : 1, 6);
  header.writeUInt32BE(0, 8);
  if (text === undefined) return Buffer.concat([header, asked]);
  const data = Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
  const record = Buffer.from([0xc0, 0x0c, 0, 16, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([header, asked, record, data]);
}
