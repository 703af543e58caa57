import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { openPromise } from 'yauzl';
import { JsonLimitError, parseBoundedJson, type JsonLimits } from '../../../engine/values/bounded-json';
import {
  isCtrf,
  isCucumber,
  isAllure,
  isAllureContainer,
  isObject,
  isPlaywright,
  readAllure,
  readCtrf,
  readCucumber,
  readPlaywright,
  type FindSource,
} from './json-reports';
import { assertUnpackedSize, assertWhole, maxUnpacked } from './archive-limits';
import { junitListener } from './junit';
import { nunitListener } from './nunit';
import { UnreadableResults, type ParsedTest } from './parsed-test';
import { robotListener } from './robot';
import {
  dartReader,
  goReader,
  isJest,
  isMocha,
  isXray,
  readJest,
  readMocha,
  readXray,
  type EventReader,
} from './runner-reports';
import { tapReader } from './tap';
import { trxListener } from './trx';
import { readXml, type XmlListener } from './xml';
import { xunitListener } from './xunit';
import { itemAt, lastOf, requireValue } from '../../../engine/values/lookups';

/** The names of the formats. */
export const formatNames = {
  junit: 'JUnit XML',
  trx: 'TRX',
  robot: 'Robot Framework',
  nunit: 'NUnit',
  xunit: 'xUnit.net',
  ctrf: 'CTRF',
  playwright: 'Playwright JSON',
  cucumber: 'Cucumber JSON',
  jest: 'Jest JSON',
  mocha: 'Mocha JSON',
  xray: 'Xray JSON',
  go: 'go test JSON',
  dart: 'Dart JSON',
  allure: 'Allure results',
  tap: 'TAP',
} as const;
export type FormatName = keyof typeof formatNames;

const expectedFormats = `Expected ${Object.values(formatNames).slice(0, -1).join(', ')} or ${formatNames.tap}.`;
const headSize = 64 * 1024;

/**
 * Recognises the format of a file by its content and reads its tests one by one; `keepResult` takes a single result of
 * Allure, which belongs to those of other files. Throws UnreadableResults, which says what was expected and in which line.
 */
export async function* readResultFile(
  path: string,
  tellFormat: (format: FormatName) => void,
  keepResult: (result: unknown) => void,
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
  const events = eventFormatOf(start);
  if (start.startsWith('<')) yield* readXmlFile(path, head, tellFormat);
  else if (events) {
    tellFormat(events);
    yield* readEventFile(path, head.encoding, eventReaders[events]);
  } else if (start.startsWith('{') || start.startsWith('['))
    yield* readJsonFile(path, head.encoding, tellFormat, keepResult);
  else if (/^(TAP version \d+|\d+\.\.\d+|(not )?ok\b|# Subtest)/m.test(start)) {
    tellFormat('tap');
    yield* readTapFile(path, head.encoding);
  } else throw new UnreadableResults(start === '' ? `The file is empty. ${expectedFormats}` : whatItIs(start), 1);
}

/** Kinds of files that builds send by mistake, by how they begin, and what to send instead. */
const otherTexts: readonly (readonly [RegExp, string])[] = [
  [/^%PDF-/, 'This is a PDF. Send the XML or JSON that the runner writes.'],
  [/^(TN:|SF:)/m, 'This is the coverage of lines (LCOV). Send the report of the tests.'],
  [/^=== RUN\b|^--- (PASS|FAIL)/m, 'This is what go test prints. Send the output of go test -json.'],
  [/^=+ test session starts =+/m, 'This is what pytest prints. Send the file of pytest --junitxml=report.xml.'],
];

const whatItIs = (start: string): string =>
  otherTexts.find(([pattern]) => pattern.test(start))?.[1] ?? `This is no report of tests. ${expectedFormats}`;

/** Other XML that runners write, by its first element, and what to send instead. */
const otherElements: Readonly<Record<string, string>> = {
  html: 'This is an HTML page. Send the XML or JSON that the runner writes beside it.',
  coverage: 'This is the coverage of lines (Cobertura or Clover). Send the report of the tests.',
  report: 'This is the coverage of lines (JaCoCo). Send the report of the tests.',
  checkstyle: 'This is a report of Checkstyle. Send the report of the tests.',
  'testng-results': "This is TestNG's own report. Send its JUnit XML from the folder junitreports.",
  testExecutions: 'This is a report for SonarQube. Send JUnit XML.',
  Catch: 'This is the XML of Catch. Run the tests with --reporter junit.',
  Catch2TestRun: 'This is the XML of Catch2. Run the tests with --reporter junit.',
  doctest: 'This is the XML of doctest. Run the tests with --reporters=junit.',
  Site: 'This is the XML of CTest. Run it with --output-junit report.xml.',
  TestLog: 'This is the log of Boost.Test. Run the tests with --logger=JUNIT.',
  TestResult: 'This is a report of Boost.Test or CppUnit. Send JUnit XML.',
  TestCase: 'This is the XML of Qt Test. Run the tests with -o report.xml,junitxml.',
  testrun: 'This is an export of an IDE. Send the JUnit XML of the build.',
  testResults: 'This is the log of JMeter. Convert it to JUnit XML.',
};

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
    const declaredEncoding = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(
      bytes.toString('latin1', 0, 200).trimStart(),
    )?.[1];
    const encoding = (mark?.encoding ?? declaredEncoding ?? utf8).toLowerCase();
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

const utf8 = 'utf-8';
/** A line that is longer is read in several pieces. */
const maxPiece = 1024 * 1024;

/**
 * The text of a file piece by piece, without a byte order mark. Lines that are not in the UTF-8 which the file has or
 * announces are in Windows-1252: older tools write the encoding of the machine without a word.
 */
async function* readText(path: string, encoding: string): AsyncGenerator<string> {
  if (encoding === utf8 || encoding === 'utf8') {
    let rest: Buffer = Buffer.alloc(0);
    let isFirst = true;
    const read = (bytes: Buffer) => {
      const text = decodeLines(bytes);
      const plainText = isFirst && text.startsWith('\ufeff') ? text.slice(1) : text;
      isFirst = false;
      return plainText;
    };
    for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
      const allBytes = Buffer.concat([rest, bytes]);
      const newline = allBytes.lastIndexOf(0x0a) + 1;
      const end = newline > 0 ? newline : allBytes.length < maxPiece ? 0 : characterEnd(allBytes);
      rest = allBytes.subarray(end);
      if (end > 0) yield read(allBytes.subarray(0, end));
    }
    yield read(rest);
    return;
  }
  const decoder = decoderOf(encoding);
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>)
    yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

/** Where the last whole character of some bytes ends. */
function characterEnd(bytes: Buffer): number {
  for (let back = 1; back <= 3; back++) {
    const byte = itemAt(bytes, bytes.length - back);
    if (byte >= 0xc0) return bytes.length - back;
    if (byte < 0x80) break;
  }
  return bytes.length;
}

const strictUtf8 = new TextDecoder(utf8, { fatal: true, ignoreBOM: true });
const latin1 = new TextDecoder('windows-1252');

function decodeLines(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    const newline = bytes.indexOf(0x0a);
    if (newline < 0 || newline === bytes.length - 1) return latin1.decode(bytes);
  }
  let text = '';
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline + 1;
    text += decodeLines(bytes.subarray(start, end));
    start = end;
  }
  return text;
}

const listeners: Readonly<
  Record<string, { format: FormatName; listen: (emit: (test: ParsedTest) => void) => XmlListener }>
> = {
  testsuites: { format: 'junit', listen: junitListener },
  testsuite: { format: 'junit', listen: junitListener },
  TestRun: { format: 'trx', listen: trxListener },
  robot: { format: 'robot', listen: robotListener },
  'test-run': { format: 'nunit', listen: nunitListener },
  'test-results': { format: 'nunit', listen: nunitListener },
  assemblies: { format: 'xunit', listen: xunitListener },
  assembly: { format: 'xunit', listen: xunitListener },
};

async function* readXmlFile(
  path: string,
  { text: head, encoding }: Head,
  tellFormat: (format: FormatName) => void,
): AsyncGenerator<ParsedTest> {
  // Comments and the document type may name other elements; as many characters stay, so that the place is right.
  const plainHead = head.replaceAll(/<!--[\s\S]*?(-->|$)|<[?!][^>]*>/g, (text) => text.replaceAll(/[^\n]/g, ' '));
  const rootMatch = /<(?:[\w.-]+:)?([\w.-]+)/.exec(plainHead);
  const root = rootMatch?.[1] ?? '';
  const knownListener = Object.hasOwn(listeners, root) ? listeners[root] : undefined;
  if (!knownListener) {
    const line = plainHead.slice(0, rootMatch?.index ?? 0).split('\n').length;
    const otherElement = Object.hasOwn(otherElements, root) ? otherElements[root] : undefined;
    throw new UnreadableResults(
      otherElement ?? `The element <${root.slice(0, 100)}> begins no report of tests. ${expectedFormats}`,
      line,
    );
  }
  tellFormat(knownListener.format);
  const pieces = readText(path, encoding);
  yield* emitting((emit, afterPiece) => readXml(trimStart(pieces), knownListener.listen(emit), afterPiece));
}

/** Without what stands before the XML declaration: some producers print an empty line first. */
async function* trimStart(pieces: AsyncIterable<string>): AsyncGenerator<string> {
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
      rest = requireValue(lines.pop(), 'the line that has not ended');
      lines.forEach((line) => reader.line(line));
      if (rest.length > maxLine)
        throw new UnreadableResults(`A line has more than ${maxLine.toLocaleString('en')} characters.`);
      await afterPiece();
    }
    reader.line(rest);
    reader.end();
  });
}

type EventFormat = 'go' | 'dart';
const eventReaders = { go: goReader, dart: dartReader } as const;

/** Whose events the lines of a file are; undefined if they are none. A build may print something before. */
function eventFormatOf(start: string): EventFormat | undefined {
  const line = /^[ \t]*\{.*"(?:Action|protocolVersion)":.*$/m.exec(start)?.[0];
  if (line === undefined) return undefined;
  if (/"Action":\s*"[a-z-]+"/.test(line) && /"(?:Package|ImportPath)":/.test(line)) return 'go';
  return /"type":\s*"start"/.test(line) ? 'dart' : undefined;
}

async function* readEventFile(
  path: string,
  encoding: string,
  createReader: (emit: (test: ParsedTest) => void) => EventReader,
): AsyncGenerator<ParsedTest> {
  yield* emitting(async (emit, afterPiece) => {
    const reader = createReader(emit);
    let lineNumber = 0;
    const readLine = (line: string) => {
      lineNumber++;
      // Builds print between the events.
      if (!line.trimStart().startsWith('{')) return;
      let event: unknown;
      try {
        event = parseBoundedJson(line, reportLimits);
      } catch {
        throw new UnreadableResults('This is not complete JSON.', lineNumber);
      }
      if (isObject(event)) reader.event(event);
    };
    let rest = '';
    for await (const piece of readText(path, encoding)) {
      const lines = (rest + piece).split(/\r?\n/);
      rest = requireValue(lines.pop(), 'the line that has not ended');
      lines.forEach(readLine);
      if (rest.length > maxEventLine)
        throw new UnreadableResults(`A line has more than ${maxEventLine.toLocaleString('en')} characters.`);
      await afterPiece();
    }
    readLine(rest);
    reader.end();
  });
}

/** In characters: what a program prints without a line break is one event. */
const maxEventLine = 10_000_000;

async function textOfFile(path: string, encoding: string): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of readText(path, encoding)) pieces.push(piece);
  return pieces.join('');
}

async function* readJsonFile(
  path: string,
  encoding: string,
  tellFormat: (format: FormatName) => void,
  keepResult: (result: unknown) => void,
): AsyncGenerator<ParsedTest> {
  const report = parseJson(await textOfFile(path, encoding));
  if (isCtrf(report)) {
    tellFormat('ctrf');
    yield* readCtrf(report);
  } else if (isPlaywright(report)) {
    tellFormat('playwright');
    yield* readPlaywright(report);
  } else if (isCucumber(report)) {
    tellFormat('cucumber');
    yield* readCucumber(report);
  } else if (isJest(report)) {
    tellFormat('jest');
    yield* readJest(report);
  } else if (isMocha(report)) {
    tellFormat('mocha');
    yield* readMocha(report);
  } else if (isXray(report)) {
    tellFormat('xray');
    yield* readXray(report);
  } else if (isAllure(report) || isAllureContainer(report)) {
    tellFormat('allure');
    keepResult(report);
  } else throw new UnreadableResults(whatJsonIs(report), 1);
}

/** Describes a JSON file that is no report of tests, and says what to send instead. */
function whatJsonIs(report: unknown): string {
  if (isObject(report)) {
    if (isObject(report.stats) && Array.isArray(report.results))
      return 'This is a report of Mochawesome. Run Mocha with --reporter json or --reporter mocha-junit-reporter.';
    if (isObject(report.run) && isObject(report.collection))
      return 'This is a report of Newman. Run it with --reporters junit.';
    if (isObject(report.total) && 'lines' in report.total)
      return 'This is the coverage of lines. Send the report of the tests.';
    if (isObject(report.summary) && Array.isArray(report.tests))
      return 'This is a report of pytest-json-report. Send the file of pytest --junitxml=report.xml.';
  }
  return `This JSON is no report of tests. ${expectedFormats}`;
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
  const waitingTests: ParsedTest[] = [];
  let [wake, goOn] = [() => {}, () => {}];
  let isOver = false;
  const afterPiece = async () => {
    wake();
    if (waitingTests.length >= maxWaiting) await new Promise<void>((resolve) => (goOn = resolve));
  };
  const reading = read((test) => waitingTests.push(test), afterPiece).finally(() => {
    isOver = true;
    wake();
  });
  // A failure is thrown below, after what came before it.
  reading.catch(() => undefined);
  for (;;) {
    yield* waitingTests.splice(0);
    goOn();
    if (waitingTests.length > 0) continue;
    if (isOver) break;
    await new Promise<void>((resolve) => (wake = resolve));
  }
  await reading;
}

/** The content of an archive of Allure: its results, and the files beside them. */
interface AllureArchive {
  readonly results: readonly unknown[];
  readonly findSource: FindSource;
  readonly close: () => void;
}

/** The `*-result.json` of an archive, which stays open for the files that they name. Throws UnreadableResults. */
async function readArchive(path: string): Promise<AllureArchive> {
  const parsedValues: unknown[] = [];
  // By their names without folders: results name them so.
  const otherEntries = new Map<string, Entry>();
  let left = maxUnpacked;
  const archive = await assertWhole(() =>
    openPromise(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true }),
  );
  try {
    for await (const entry of archive.eachEntry()) {
      const name = lastOf(entry.fileName.split('/'));
      if (!name.endsWith('-result.json') && !name.endsWith('-container.json')) {
        if (otherEntries.size < maxSources && name !== '') otherEntries.set(name, entry);
        continue;
      }
      if (entry.isEncrypted()) throw new UnreadableResults(`${entry.fileName} is protected with a password.`);
      left = assertUnpackedSize(left - entry.uncompressedSize, entry);
      parsedValues.push(await readEntry(archive, entry));
    }
  } catch (error) {
    archive.close();
    throw error;
  }
  const findSource: FindSource = (name) => {
    const entry = otherEntries.get(name);
    if (!entry || entry.isEncrypted()) return undefined;
    return { size: entry.uncompressedSize, read: () => archive.openReadStreamPromise(entry) };
  };
  return { results: parsedValues, findSource, close: () => archive.close() };
}

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
