import { randomUUID } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { utils, write } from 'xlsx';
import { openEventStream } from '../events';
import { pause, signIn } from '../server';
import {
  sendRequest,
  formType,
  formWith,
  assertStatus,
  neighbour,
  owner,
  register,
  registeredToken,
  type Attack,
  type AttackTarget,
} from './attack';

const worksheet = (rows: string) =>
  `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`;
const heading = '<row r="1"><c r="A1" t="inlineStr"><is><t>First Name</t></is></c></row>';

/** A workbook with some parts replaced. */
function workbook(parts: Readonly<Record<string, Uint8Array>>): Buffer {
  const plainWorkbook = write(
    { SheetNames: ['Rows'], Sheets: { Rows: utils.aoa_to_sheet([['x']]) } },
    { type: 'buffer', bookSST: true },
  ) as Buffer;
  return Buffer.from(zipSync({ ...unzipSync(plainWorkbook), ...parts }, { level: 9 }));
}

/** 49,000 cells that share one text of 99,000 characters. */
function sharedText(): Buffer {
  const cells = Array.from(
    { length: 49_000 },
    (_, index) => `<row r="${index + 2}"><c r="A${index + 2}" t="s"><v>0</v></c></row>`,
  );
  return workbook({
    'xl/worksheets/sheet1.xml': strToU8(worksheet(heading + cells.join(''))),
    'xl/sharedStrings.xml': strToU8(
      `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>${'x'.repeat(99_000)}</t></si></sst>`,
    ),
  });
}

const preview = (target: AttackTarget, token: string, file: Buffer) =>
  sendRequest(target, '/users/import?preview=1', {
    method: 'POST',
    token,
    type: formType,
    body: formWith('import_file', 'rows.xlsx', file),
  });

/** The workbook that ended the program, previewed by a company that registered a moment ago. */
export const sharedWorkbook: Attack = {
  name: 'a workbook of 49,000 cells with one text',
  async run(target) {
    const token = await registeredToken(target);
    const file = sharedText();
    for (let round = 0; round < (target.context.quick ? 1 : 4); round++) {
      const answers = await Promise.all([preview(target, token, file), preview(target, token, file)]);
      for (const answer of answers) assertStatus(answer, [400, 413, 422, 429], 'the workbook');
    }
    return `${(file.length / 1000).toFixed(0)} kB, refused`;
  },
};

/** Workbooks that unpack to far more than they are. */
export const zipBombs: Attack = {
  name: 'zip bombs',
  async run(target) {
    const token = await target.token(owner);
    const zeros = new Uint8Array(200 * 1024 * 1024);
    const bombs = [
      workbook({ 'xl/worksheets/sheet1.xml': zeros }),
      ...(target.context.quick
        ? []
        : [
            workbook({ 'xl/sharedStrings.xml': zeros }),
            workbook({ 'xl/worksheets/sheet1.xml': strToU8(worksheet('<row>'.repeat(1_000_000))) }),
            workbook({ 'xl/media/a.png': zeros, 'xl/media/b.png': zeros }),
          ]),
    ];
    for (const bomb of bombs) {
      const answers = await Promise.all([preview(target, token, bomb), preview(target, token, bomb)]);
      for (const answer of answers) assertStatus(answer, [200, 400, 413, 422], 'a zip bomb');
    }
    return `${bombs.length} of up to ${(Math.max(...bombs.map(({ length }) => length)) / 1000).toFixed(0)} kB, read or refused`;
  },
};

const patterns = ['.*.*.*.*.*.*=x$', '(a+)+$', '^(\\w+\\s?)*$', '(x+x+)+y', '^([a-zA-Z0-9]+)*=$'];

/** Patterns that take forever by trial and error, published in a definition and run. */
export const hostilePatterns: Attack = {
  name: 'hostile patterns',
  async run(target) {
    const admin = await signIn(target.server.address, 'admin@demo.test');
    const token = await target.token(owner);
    type Source = { fields: Record<string, unknown> };
    const readModule = async () =>
      (await admin<{ data: { definition: Source; version: number } }>('GET', '/modules/priorities')).body.data;
    let [publishedCount, slowest] = [0, 0];
    for (const pattern of target.context.quick ? patterns.slice(0, 1) : patterns) {
      const { definition, version } = await readModule();
      definition.fields.probed = { type: 'text', maxLength: 300, pattern };
      const answer = await admin('PUT', '/modules/priorities', { definition, version });
      assertStatus(answer, [200, 422], `the pattern ${pattern}`);
      if (answer.status !== 200) continue;
      publishedCount++;
      for (const probed of ['='.repeat(300), 'a'.repeat(299) + '!', 'x='.repeat(150)]) {
        const body = JSON.stringify({ option_name: randomUUID(), probed });
        const answerToText = await sendRequest(target, '/priorities', { method: 'POST', token, body });
        assertStatus(answerToText, [201, 422], 'a record under a hostile pattern');
        slowest = Math.max(slowest, answerToText.milliseconds);
      }
    }
    const { definition, version } = await readModule();
    delete definition.fields.probed;
    await admin('PUT', '/modules/priorities', { definition, version, confirm: true });
    if (slowest > 3_000) throw new Error(`a text of 300 characters takes ${slowest.toFixed(0)} ms`);
    return `${publishedCount} published, 300 characters within ${slowest.toFixed(0)} ms`;
  },
};

/** Downloads that a company never reads: those of others continue, and their own too once these were cut off. */
export const unreadDownloads: Attack = {
  name: 'unread downloads',
  async run(target) {
    const { database, port, context } = target;
    await database.query(
      `insert into clients (name, code, address, post_code, email, site_id, created_at, updated_at)
       select 'Bulk ' || n, 'B' || n, repeat('Long street ', 300), '1', 'b' || n || '@bulk.test',
         (select site_id from users where email = $1), now(), now() from generate_series(1, 5000) n`,
      [owner],
    );
    const token = await target.token(owner);
    const path = '/clients-export?q=Bulk&columns=name,address&format=csv';
    const unread: IncomingMessage[] = [];
    for (let index = 0; index < 4; index++) {
      const answer = await new Promise<IncomingMessage>((resolve, fail) => {
        const clientRequest = get({
          host: '127.0.0.1',
          port,
          path: `/api${path}`,
          agent: false,
          headers: { authorization: `Bearer ${token}` },
        });
        context.addCleanup(() => clientRequest.destroy());
        clientRequest.once('response', resolve).once('error', fail);
      });
      unread.push(answer.on('error', () => undefined));
    }
    const refusedCount = unread.filter(({ statusCode }) => statusCode !== 200).length;
    const neighbourAnswer = await sendRequest(target, '/clients-export?format=csv', {
      token: await target.token(neighbour),
    });
    assertStatus(neighbourAnswer, [200], 'the download of a neighbour');
    for (const deadline = Date.now() + 60_000; ; await pause(500)) {
      const nextAnswer = await sendRequest(target, path, { token });
      if (nextAnswer.status === 200) break;
      assertStatus(nextAnswer, [429, 503], 'a download again');
      if (Date.now() > deadline) throw new Error('unread downloads keep their places');
    }
    await database.query("delete from clients where name like 'Bulk %'");
    return `${refusedCount} of 4 refused, a neighbour’s within ${neighbourAnswer.milliseconds.toFixed(0)} ms`;
  },
};

/** Far more windows than one person has. */
export const manyStreams: Attack = {
  name: '600 streams of one person',
  async run(target) {
    const { context, server } = target;
    const token = await target.token(owner);
    const count = context.quick ? 120 : 600;
    const streams = await Promise.all(
      Array.from({ length: count }, () => openEventStream(context, server.address, token)),
    );
    const open = streams.filter(({ status }) => status === 200);
    const refusedStreams = streams.filter(({ status, retryAfter }) => status === 429 && retryAfter !== undefined);
    if (open.length + refusedStreams.length !== count || open.length !== 50)
      throw new Error(`${open.length} are open, ${refusedStreams.length} refused`);
    const neighbourStream = await openEventStream(context, server.address, await target.token(neighbour));
    if (neighbourStream.status !== 200)
      throw new Error(`the stream of a neighbour is answered with ${neighbourStream.status}`);
    neighbourStream.close();
    for (const stream of streams) stream.close();
    return `${open.length} open, ${refusedStreams.length} refused`;
  },
};

/** Unconfirmed registrations and wrong passwords from many addresses. */
export const registrations: Attack = {
  name: 'registrations and wrong passwords',
  async run(target) {
    const addresses = Array.from({ length: target.context.quick ? 1 : 6 }, (_, index) => `127.0.1.${index + 1}`);
    const callsPerAddress = target.context.quick ? 8 : 25;
    const answers = await Promise.all(
      addresses.flatMap((address) => Array.from({ length: callsPerAddress }, () => register(target, address))),
    );
    for (const answer of answers) assertStatus(answer, [200, 429, 503], 'a registration');
    const wrongSignIns = await Promise.all(
      addresses.flatMap((address) =>
        Array.from({ length: callsPerAddress }, () =>
          sendRequest(target, '/login', {
            method: 'POST',
            localAddress: address,
            body: JSON.stringify({ email: `${randomUUID()}@novak.test`, password: 'Wrong#Harbour7' }),
          }),
        ),
      ),
    );
    for (const answer of wrongSignIns) assertStatus(answer, [200, 401, 422, 429, 503], 'a wrong password');
    const countStatus = (status: number) => answers.filter((answer) => answer.status === status).length;
    return `${countStatus(200)} of ${answers.length} registered, ${countStatus(429)} over the limit, ${countStatus(503)} to try again`;
  },
};
