import { inflateRawSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { UnreadableFile } from './sheet-file';

/** Bytes that the parts of a workbook may have once they are unpacked: 5 MB of honest rows stay far below. */
const mostUnpacked = 100 * 1024 * 1024;
/** How many times its size a part may unpack to, once it is larger than `alwaysAllowed`: rows that repeat pack 60 to 1 at most. */
const mostRatio = 200;
const alwaysAllowed = 10 * 1024 * 1024;
const mostParts = 2_000;
/** Pictures, macros and the like are not even unpacked. */
const needed = /\.(xml|rels)$/i;

const broken = 'The file is broken: it is no whole .xlsx file.';
const tooLarge = 'The file unpacks to far more than a spreadsheet needs, and was not opened.';

/**
 * Unpacks the parts of a workbook that are needed, each only as far as all of them may be large together, and packs them
 * anew without compression. What reads them afterwards meets no size that was not counted here.
 */
export function openArchive(bytes: Buffer): Uint8Array {
  const parts: Record<string, Uint8Array> = Object.create(null);
  let room = mostUnpacked;
  for (const { name, method, from, size } of entries(bytes)) {
    const plain = name.replaceAll('\\', '/').replace(/^\//, '');
    if (!needed.test(plain) || Object.hasOwn(parts, plain)) continue;
    const packed = bytes.subarray(from, from + size);
    const most = Math.min(room, Math.max(alwaysAllowed, packed.length * mostRatio));
    const part = method === 0 ? packed : inflated(packed, most);
    room -= part.length;
    if (room < 0) throw new UnreadableFile(tooLarge);
    parts[plain] = sheets.test(plain) ? withoutFormulas(part) : part;
  }
  if (!Object.keys(parts).some((name) => name.toLowerCase() === 'xl/workbook.xml')) {
    throw new UnreadableFile('The file is an archive, but no spreadsheet. Save it as .xlsx, .xls or .csv.');
  }
  return zipSync(parts, { level: 0 });
}

const sheets = /^xl\/worksheets\/[^/]+\.xml$/i;
const formula = /<((?:\w+:)?)f(?:\s[^<>]*)?(?:\/>|>[^<]*<\/\1f>)/g;

/**
 * A sheet in which each formula is `x`: an import refuses cells with formulas, whatever they say, and one that is shared
 * by many cells would be written out for each of them.
 */
function withoutFormulas(part: Uint8Array): Uint8Array {
  const xml = Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('latin1');
  return Buffer.from(xml.replace(formula, '<$1f>x</$1f>'), 'latin1');
}

function inflated(packed: Uint8Array, room: number): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, room) });
  } catch (error) {
    const { code } = error as { code?: string };
    throw new UnreadableFile(code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge : broken);
  }
}

/** The entries of the archive's directory, which stands at its end. */
function* entries(bytes: Buffer): Generator<{ name: string; method: number; from: number; size: number }> {
  const end = bytes.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  if (end < 0 || end + 22 > bytes.length) throw new UnreadableFile(broken);
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  if (count > mostParts) throw new UnreadableFile(tooLarge);
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) throw new UnreadableFile(broken);
    const [flags, method, size] = [
      bytes.readUInt16LE(at + 8),
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
    ];
    const [named, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const start = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('utf8', at + 46, at + 46 + named);
    at += 46 + named + extra + comment;
    if (start + 30 > bytes.length || bytes.readUInt32LE(start) !== 0x04034b50) throw new UnreadableFile(broken);
    if (flags & 1) throw new UnreadableFile('The file is locked with a password. Save it without one.');
    const from = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
    if (from + size > bytes.length || (method !== 0 && method !== 8)) throw new UnreadableFile(broken);
    yield { name, method, from, size };
  }
}
