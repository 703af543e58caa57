import { inflateRawSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { fromBufferPromise, getFileNameLowLevel } from 'yauzl';
import { UnreadableFile } from './sheet-file';

/** Maximum unpacked size of a workbook in bytes: 5 MB of genuine rows stay far below. */
const maxUnpackedSize = 100 * 1024 * 1024;
/**
 * Maximum compression ratio of a part that is larger than `alwaysAllowed`: repetitive rows are compressed 60 to 1 at
 * most.
 */
const maxRatio = 200;
const alwaysAllowed = 10 * 1024 * 1024;
const maxParts = 2_000;
/** Compression methods, as archives number them. */
const [storedMethod, deflated] = [0, 8];
/** Images, macros and the like are not unpacked. */
const neededPart = /\.(xml|rels)$/i;

const corruptMessage = 'The file is corrupt: it is not a complete .xlsx file.';
const tooLargeMessage = 'The file was not opened: its unpacked size is far larger than a spreadsheet needs.';

/**
 * Unpacks the required parts of a workbook within the size limit and repacks them without compression, so that the
 * parser meets no unchecked size (zip bomb). Throws UnreadableFile.
 */
export async function repackArchive(bytes: Buffer): Promise<Uint8Array> {
  const parts = await neededParts(bytes).catch((error: unknown) => {
    throw error instanceof UnreadableFile ? error : new UnreadableFile(corruptMessage);
  });
  if (!Object.keys(parts).some((name) => name.toLowerCase() === 'xl/workbook.xml')) {
    throw new UnreadableFile('The file is an archive, not a spreadsheet. Save it as .xlsx, .xls or .csv.');
  }
  return zipSync(parts, { level: 0 });
}

/** Parts by name; the first if several have the same name. */
async function neededParts(bytes: Buffer): Promise<Record<string, Uint8Array>> {
  const parts: Record<string, Uint8Array> = Object.create(null);
  let remainingBytes = maxUnpackedSize;
  // Names are only compared, never used as paths: one that points out of the archive is harmless.
  const archive = await fromBufferPromise(bytes, { decodeStrings: false });
  if (archive.entryCount > maxParts) throw new UnreadableFile(tooLargeMessage);
  for await (const entry of archive.eachEntry()) {
    if (entry.isEncrypted()) throw new UnreadableFile('The file is protected with a password. Save it without one.');
    const { generalPurposeBitFlag, fileNameRaw, extraFields, compressionMethod, compressedSize } = entry;
    const name = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false).replace(/^\//, '');
    if (!neededPart.test(name) || Object.hasOwn(parts, name)) continue;
    if (compressionMethod !== storedMethod && compressionMethod !== deflated) throw new UnreadableFile(corruptMessage);
    const { fileDataStart } = await archive.readLocalFileHeaderPromise(entry, { minimal: true });
    const compressed = bytes.subarray(fileDataStart, fileDataStart + compressedSize);
    const maxBytes = Math.min(remainingBytes, Math.max(alwaysAllowed, compressed.length * maxRatio));
    // The library's own stream relies on the declared size; this stops at the limit.
    const part = compressionMethod === storedMethod ? compressed : inflatePart(compressed, maxBytes);
    remainingBytes -= part.length;
    if (remainingBytes < 0) throw new UnreadableFile(tooLargeMessage);
    parts[name] = sheets.test(name) ? withoutFormulas(part) : part;
  }
  return parts;
}

const sheets = /^xl\/worksheets\/[^/]+\.xml$/i;
const formula = /<((?:\w+:)?)f(?:\s[^<>]*)?(?:\/>|>[^<]*<\/\1f>)/g;

/**
 * Replaces each formula of a sheet with `x`: imports take the stored values of formulas, and a formula shared by many
 * cells would be expanded for each of them.
 */
function withoutFormulas(part: Uint8Array): Uint8Array {
  const xml = Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('latin1');
  return Buffer.from(xml.replace(formula, '<$1f>x</$1f>'), 'latin1');
}

function inflatePart(compressed: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return inflateRawSync(compressed, { maxOutputLength: Math.max(1, maxBytes) });
  } catch (error) {
    const { code } = error as { code?: string };
    throw new UnreadableFile(code === 'ERR_BUFFER_TOO_LARGE' ? tooLargeMessage : corruptMessage);
  }
}
