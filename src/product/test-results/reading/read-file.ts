import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { openPromise } from 'yauzl';
import { JsonLimitError, parseBoundedJson, type JsonLimits } from '../../../engine/validation/bounded-json';
import {
  isCtrf,
  isCucumber,
  isPlaywright,
  readAllure,
  readCtrf,
  readCucumber,
  readPlaywright,
  type FindSource,
} from './json-reports';
import { junitListener } from './junit';
import { UnreadableResults, type ParsedTest } from './parsed-test';
import { robotListener } from './robot';
import { tapReader } from './tap';
import { trxListener } from './trx';
import { readXml, type XmlListener } from './xml';

/** What the formats are called. */
export const formatNames = {
  junit: 'JUnit XML',
  trx: 'TRX',
  robot: 'Robot Framework',
  ctrf: 'CTRF',
  playwright: 'Playwright JSON',
  cucumber: 'Cucumber JSON',
  allure: 'Allure results',
  tap: 'TAP',
} as const;
export type FormatName = keyof typeof formatNames;

const expected = `Expected ${Object.values(formatNames).slice(0, -1).join(', ')} or ${formatNames.tap}.`;
const headSize = 64 * 1024;

/**
 * Recognises the format of a file by its content and reads its tests one by one. Throws UnreadableResults, which says
 * what was expected and in which line.
 */
export async function* readResultFile(
  path: string,
  tellFormat: (format: FormatName) => void,
): AsyncGenerator<ParsedTest> {
  const head = await readHead(path);
  if (head.text.startsWith('PK\u0003\u0004')) {
    tellFormat('allure');
    const { results, findSource, close } = await readArchive(path);
    try {
      yield* readAllure(results, findSource);
    } finally {
      close();
    }
    return;
  }
  const start = head.text.trimStart();
  if (start.startsWith('<')) yield* readXmlFile(path, head, tellFormat);
  else if (start.startsWith('{') || start.startsWith('[')) yield* readJsonFile(path, head.encoding, tellFormat);
  else if (/^(TAP version \d+|\d+\.\.\d+|(not )?ok\b|# Subtest)/m.test(start)) {
    tellFormat('tap');
    yield* readTapFile(path, head.encoding);
  } else
    throw new UnreadableResults(
      start === '' ? `The file is empty. ${expected}` : `This is no report of tests. ${expected}`,
      1,
    );
}

/** The beginning of a file, and what its characters are encoded in, as its first bytes or its XML declaration say. */
interface Head {
  readonly text: string;
  readonly encoding: string;
}

async function readHead(path: string): Promise<Head> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headSize), 0, headSize, 0);
    const bytes = buffer.subarray(0, bytesRead);
    const mark = byteOrderMarks.find(({ starts }) => bytes.subarray(0, starts.length).equals(Buffer.from(starts)));
    const declared = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(
      bytes.toString('latin1', 0, 200).trimStart(),
    )?.[1];
    const encoding = mark?.encoding ?? declared ?? 'utf-8';
    return { text: decoderOf(encoding).decode(bytes, { stream: true }), encoding };
  } finally {
    await file.close();
  }
}

const byteOrderMarks = [
  { starts: [0xff, 0xfe], encoding: 'utf-16le' },
  { starts: [0xfe, 0xff], encoding: 'utf-16be' },
  { starts: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
];

function decoderOf(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding);
  } catch {
    throw new UnreadableResults(`The encoding ${encoding} is not known here. Save the file as UTF-8.`, 1);
  }
}

/** The text of a file piece by piece, without a byte order mark. */
async function* readText(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = decoderOf(encoding);
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>)
    yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

const listeners: Readonly<
  Record<string, { format: FormatName; listen: (emit: (test: ParsedTest) => void) => XmlListener }>
> = {
  testsuites: { format: 'junit', listen: junitListener },
  testsuite: { format: 'junit', listen: junitListener },
  TestRun: { format: 'trx', listen: trxListener },
  robot: { format: 'robot', listen: robotListener },
};

async function* readXmlFile(
  path: string,
  { text: head, encoding }: Head,
  tellFormat: (format: FormatName) => void,
): AsyncGenerator<ParsedTest> {
  // Comments and the document type may name other elements; as many characters stay, so that the place is right.
  const plain = head.replaceAll(/<!--[\s\S]*?(-->|$)|<[?!][^>]*>/g, (text) => text.replaceAll(/[^\n]/g, ' '));
  const found = /<(?:[\w.-]+:)?([\w.-]+)/.exec(plain);
  const root = found?.[1] ?? '';
  const known = Object.hasOwn(listeners, root) ? listeners[root] : undefined;
  if (!known) {
    const line = plain.slice(0, found?.index ?? 0).split('\n').length;
    throw new UnreadableResults(`The element <${root.slice(0, 100)}> begins no report of tests. ${expected}`, line);
  }
  tellFormat(known.format);
  const pieces = readText(path, encoding);
  yield* emitting((emit, afterPiece) => readXml(trimmed(pieces), known.listen(emit), afterPiece));
}

/** Without what stands before the XML declaration: some producers print an empty line first. */
async function* trimmed(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const piece of pieces) {
    yield isFirst ? piece.trimStart() : piece;
    isFirst = false;
  }
}

/** In characters: no line of a report is longer, and each piece of one that never ends would be joined to all before. */
const maxLine = 1_000_000;

async function* readTapFile(path: string, encoding: string): AsyncGenerator<ParsedTest> {
  yield* emitting(async (emit, afterPiece) => {
    const reader = tapReader(emit);
    let rest = '';
    for await (const piece of readText(path, encoding)) {
      const lines = (rest + piece).split(/\r?\n/);
      rest = lines.pop()!;
      lines.forEach((line) => reader.line(line));
      if (rest.length > maxLine)
        throw new UnreadableResults(`A line has more than ${maxLine.toLocaleString('en')} characters.`);
      await afterPiece();
    }
    reader.line(rest);
    reader.end();
  });
}

async function* readJsonFile(
  path: string,
  encoding: string,
  tellFormat: (format: FormatName) => void,
): AsyncGenerator<ParsedTest> {
  const report = parseJson(decoderOf(encoding).decode(await readFile(path)));
  if (isCtrf(report)) {
    tellFormat('ctrf');
    yield* readCtrf(report);
  } else if (isPlaywright(report)) {
    tellFormat('playwright');
    yield* readPlaywright(report);
  } else if (isCucumber(report)) {
    tellFormat('cucumber');
    yield* readCucumber(report);
  } else throw new UnreadableResults(`This JSON is no report of tests. ${expected}`, 1);
}

/** No report of tests has more: suites in suites, and attempts with every step. */
const reportLimits: JsonLimits = { depth: 2_000, names: 100_000, values: 20_000_000 };

function parseJson(text: string): unknown {
  try {
    return parseBoundedJson(text, reportLimits);
  } catch (error) {
    if (error instanceof JsonLimitError) throw new UnreadableResults(`The report ${error.message}.`, 1);
    const { message } = error as Error;
    const position = /position (\d+)/.exec(message)?.[1];
    const line = position === undefined ? text.split('\n').length : text.slice(0, Number(position)).split('\n').length;
    throw new UnreadableResults('This is not complete JSON.', line);
  }
}

/** How many tests wait at most before a reader pauses. */
const maxWaiting = 1000;

/** A generator from a reader that emits: the reader pauses after a piece until what it found has been taken. */
async function* emitting(
  read: (emit: (test: ParsedTest) => void, afterPiece: () => Promise<void>) => Promise<void>,
): AsyncGenerator<ParsedTest> {
  const waiting: ParsedTest[] = [];
  let [wake, goOn] = [() => {}, () => {}];
  let isOver = false;
  const afterPiece = async () => {
    wake();
    if (waiting.length >= maxWaiting) await new Promise<void>((done) => (goOn = done));
  };
  const reading = read((test) => waiting.push(test), afterPiece).finally(() => {
    isOver = true;
    wake();
  });
  // A failure is thrown below, after what came before it.
  reading.catch(() => undefined);
  for (;;) {
    yield* waiting.splice(0);
    goOn();
    if (waiting.length > 0) continue;
    if (isOver) break;
    await new Promise<void>((done) => (wake = done));
  }
  await reading;
}

/** What an archive may contain, unpacked, in bytes; and how many files. */
const maxUnpacked = 500 * 1024 * 1024;
const maxRatio = 200;
const alwaysAllowed = 1024 * 1024;
const maxFiles = 300_000;

/** What an archive of Allure has: its results, and the files beside them. */
interface AllureArchive {
  readonly results: readonly unknown[];
  readonly findSource: FindSource;
  readonly close: () => void;
}

/** The `*-result.json` of an archive, which stays open for the files that they name. Throws UnreadableResults. */
async function readArchive(path: string): Promise<AllureArchive> {
  const found: unknown[] = [];
  // By their names without folders: results name them so.
  const others = new Map<string, Entry>();
  let left = maxUnpacked;
  let archive: Archive;
  try {
    archive = await openPromise(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true });
  } catch {
    throw new UnreadableResults('The archive is not complete. Expected a .zip with the results that Allure writes.');
  }
  try {
    if (archive.entryCount > maxFiles) throw tooLarge();
    for await (const entry of archive.eachEntry()) {
      const name = entry.fileName.split('/').at(-1)!;
      if (!name.endsWith('-result.json')) {
        if (others.size < maxSources && name !== '' && !name.endsWith('-container.json')) others.set(name, entry);
        continue;
      }
      if (entry.isEncrypted()) throw new UnreadableResults(`${entry.fileName} is protected with a password.`);
      if (entry.uncompressedSize > Math.max(alwaysAllowed, entry.compressedSize * maxRatio)) throw tooLarge();
      if ((left -= entry.uncompressedSize) < 0) throw tooLarge();
      found.push(await readEntry(archive, entry));
    }
    if (found.length === 0)
      throw new UnreadableResults(
        'The archive has no *-result.json. Expected a .zip with the results that Allure writes.',
      );
  } catch (error) {
    archive.close();
    throw error;
  }
  const findSource: FindSource = (name) => {
    const entry = others.get(name);
    if (!entry || entry.isEncrypted()) return undefined;
    return { size: entry.uncompressedSize, read: () => archive.openReadStreamPromise(entry) };
  };
  return { results: found, findSource, close: () => archive.close() };
}

const tooLarge = () => new UnreadableResults('The archive is far larger unpacked than results of tests are.');
/** How many files beside the results are looked at: more are not stored of one upload. */
const maxSources = 50_000;

type Archive = Awaited<ReturnType<typeof openPromise>>;
type Entry = Archive extends { eachEntry(): AsyncIterable<infer One> } ? One : never;

async function readEntry(archive: Archive, entry: Entry): Promise<unknown> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    const stream = await archive.openReadStreamPromise(entry);
    for await (const piece of stream as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > entry.uncompressedSize) throw new Error('larger than it says');
      pieces.push(piece);
    }
    return parseBoundedJson(Buffer.concat(pieces).toString('utf8'), reportLimits);
  } catch {
    throw new UnreadableResults(`${entry.fileName} in the archive cannot be read: it is corrupt, or no JSON.`);
  }
}
