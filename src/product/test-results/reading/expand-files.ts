import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { openPromise } from 'yauzl';
import { UnreadableResults } from './parsed-test';
import { assertUnpackedSize, assertWhole, maxArchiveFiles, maxUnpacked } from './archive-limits';
import { lastOf } from '../../../engine/values/lookups';

/** A file that may be a report. */
export interface ReportFile {
  readonly name: string;
  readonly path: string;
}

/** Names of files in archives that may be reports; builds put pages, pictures and binary files beside them. */
const reportName = /\.(?:xml|json|jsonl|ndjson|trx|tap)(?:\.gz)?$/i;

/**
 * The reports in a file, one after the other: the file itself, what is in a gzip file, or the reports of an archive,
 * unless its results are those of Allure, which belong together. Unpacked files begin with the prefix, and are deleted
 * when the next one is taken. Throws UnreadableResults.
 */
export async function* expandFile({ name, path }: ReportFile, prefix: string): AsyncGenerator<ReportFile> {
  const start = await firstBytes(path);
  if (start.subarray(0, 2).equals(gzipMark)) {
    const unnumberedName = `${prefix}-g`;
    try {
      await unpackGzip(path, unnumberedName);
      yield* expandFile({ name: name.replace(/\.gz$/i, ''), path: unnumberedName }, `${prefix}g`);
    } finally {
      await rm(unnumberedName, { force: true });
    }
  } else if (start.subarray(0, 4).equals(zipMark)) yield* expandArchive({ name, path }, prefix);
  else if (start.subarray(257, 262).toString('latin1') === 'ustar')
    throw new UnreadableResults('This is a tar archive. Send the reports as they are, or as a .zip.');
  else yield { name, path };
}

const gzipMark = Buffer.from([0x1f, 0x8b]);
const zipMark = Buffer.from('PK\u0003\u0004', 'latin1');

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function unpackGzip(sourcePath: string, targetPath: string): Promise<void> {
  try {
    await pipeline(
      createReadStream(sourcePath),
      createGunzip(),
      limitBytes(),
      createWriteStream(targetPath, { flags: 'wx', mode: 0o600 }),
    );
  } catch (error) {
    throw error instanceof UnreadableResults ? error : new UnreadableResults('The gzip file is not complete.');
  }
}

/** Passes on as many bytes as results have. */
function limitBytes(): Transform {
  let left = maxUnpacked;
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      left -= chunk.length;
      if (left < 0) callback(new UnreadableResults('The file is far larger unpacked than results of tests are.'));
      else callback(null, chunk);
    },
  });
}

async function* expandArchive(file: ReportFile, prefix: string): AsyncGenerator<ReportFile> {
  const archive = await assertWhole(() =>
    openPromise(file.path, { lazyEntries: true, autoClose: false, validateEntrySizes: true }),
  );
  try {
    if (archive.entryCount > maxArchiveFiles) assertUnpackedSize(-1);
    const reports = [];
    let left = maxUnpacked;
    for await (const entry of archive.eachEntry()) {
      const name = lastOf(entry.fileName.split('/'));
      if (name.endsWith('-result.json')) {
        yield file;
        return;
      }
      if (name === 'report.jsonl')
        throw new UnreadableResults(
          'This is a blob report of Playwright. Send the file of npx playwright merge-reports --reporter=json.',
        );
      if (reportName.test(name) && !name.startsWith('.')) reports.push(entry);
    }
    if (reports.length === 0)
      throw new UnreadableResults('The archive has no report of tests. Expected files such as *.xml or *-result.json.');
    for (const [index, entry] of reports.entries()) {
      if (entry.isEncrypted()) throw new UnreadableResults(`${entry.fileName} is protected with a password.`);
      left = assertUnpackedSize(left - entry.uncompressedSize, entry);
      const path = `${prefix}-${index}`;
      try {
        await assertWhole(async () =>
          pipeline(await archive.openReadStreamPromise(entry), createWriteStream(path, { flags: 'wx', mode: 0o600 })),
        );
        yield* expandFile({ name: `${file.name}/${entry.fileName}`, path }, `${prefix}-${index}`);
      } finally {
        await rm(path, { force: true });
      }
    }
  } finally {
    archive.close();
  }
}
