import { inflateRawSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { UnreadableFile } from './sheet-file';

/** Maximum unpacked size of a workbook in bytes: 5 MB of genuine rows stay far below. */
const mostUnpacked = 100 * 1024 * 1024;
/**
 * Maximum compression ratio of a part that is larger than `alwaysAllowed`: repetitive rows are compressed 60 to 1 at
 * most.
 */
const mostRatio = 200;
const alwaysAllowed = 10 * 1024 * 1024;
const mostParts = 2_000;
/** Images, macros and the like are not unpacked. */
const needed = /\.(xml|rels)$/i;

const broken = 'The file is corrupt: it is not a complete .xlsx file.';
const tooLarge = 'The file was not opened: its unpacked size is far larger than a spreadsheet needs.';

/**
 * Unpacks the required parts of a workbook within the size limit and repacks them without compression, so that the
 * parser meets no unchecked size (zip bomb).
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
    throw new UnreadableFile('The file is an archive, not a spreadsheet. Save it as .xlsx, .xls or .csv.');
  }
  return zipSync(parts, { level: 0 });
}

const sheets = /^xl\/worksheets\/[^/]+\.xml$/i;
const formula = /<((?:\w+:)?)f(?:\s[^<>]*)?(?:\/>|>[^<]*<\/\1f>)/g;

/**
 * Replaces each formula of a sheet with `x`: imports reject cells with formulas anyway, and a formula shared by many
 * cells would be expanded for each of them.
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

/** Reads the entries of the archive's directory, which is at its end. */
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
    if (flags & 1) throw new UnreadableFile('The file is protected with a password. Save it without one.');
    const from = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
    if (from + size > bytes.length || (method !== 0 && method !== 8)) throw new UnreadableFile(broken);
    yield { name, method, from, size };
  }
}
