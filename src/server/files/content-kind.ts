import { open } from 'node:fs/promises';
import { otherKind, type FileKind } from '../../engine/field-types/file-kinds';
import { hasPictureHeader, type PictureInfo } from './picture';
import { lastOf } from '../../engine/values/lookups';

/** The bytes at the beginning and at the end of a file that its kind is told from. */
const [headLength, tailLength] = [64 * 1024, 64 * 1024];

/**
 * The kind of a file on disk by its content; `application/octet-stream` for any other. `picture`: what was read of it as
 * a picture. The name only tells harmless kinds of plain text apart, whose content is the same: a table from a note.
 */
export async function readContentKind(
  path: string,
  name: string,
  size: number,
  picture: PictureInfo | undefined,
): Promise<FileKind | typeof otherKind> {
  if (picture) return picture.type;
  const file = await open(path);
  try {
    const head = Buffer.alloc(Math.min(headLength, size));
    await file.read(head, 0, head.length, 0);
    // A file that begins like a picture and is none is broken, or only pretends to be one.
    if (head.length === 0 || hasPictureHeader(head)) return otherKind;
    const kind = bySignature(head);
    if (kind !== 'application/zip') return kind ?? textKind(head, head.length < size, name) ?? otherKind;
    const tail = Buffer.alloc(Math.min(tailLength, size));
    await file.read(tail, 0, tail.length, size - tail.length);
    return documentKind(head, tail) ?? kind;
  } finally {
    await file.close();
  }
}

/** Files that begin with fixed bytes, as hexadecimal digits. */
const signatures: readonly (readonly [start: string, kind: FileKind])[] = [
  ['474946383761', 'image/gif'],
  ['474946383961', 'image/gif'],
  ['49492a00', 'image/tiff'],
  ['4d4d002a', 'image/tiff'],
  ['255044462d', 'application/pdf'],
  ['504b0304', 'application/zip'],
  ['1f8b08', 'application/gzip'],
  ['377abcaf271c', 'application/x-7z-compressed'],
  ['494433', 'audio/mpeg'],
  ['fffb', 'audio/mpeg'],
  ['fff3', 'audio/mpeg'],
  ['4f676753', 'audio/ogg'],
];

function bySignature(head: Buffer): FileKind | undefined {
  const start = head.toString('hex', 0, 12);
  const [, kind] = signatures.find(([bytes]) => start.startsWith(bytes)) ?? [];
  if (kind) return kind;
  const text = (start: number, end: number) => head.toString('latin1', start, end);
  if (text(0, 2) === 'BM' && head.length > 26 && head.readUInt32LE(6) === 0) return 'image/bmp';
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WAVE') return 'audio/wav';
  if (text(4, 8) === 'ftyp') return brandKinds[text(8, 12)] ?? 'video/mp4';
  if (start.startsWith('1a45dfa3') && text(0, 64).includes('webm')) return 'video/webm';
  return undefined;
}

/** Kinds of the container that films and newer pictures share, by its brand. */
const brandKinds: Readonly<Record<string, FileKind>> = {
  avif: 'image/avif',
  avis: 'image/avif',
  heic: 'image/heic',
  heix: 'image/heic',
  mif1: 'image/heic',
  'qt  ': 'video/quicktime',
};

const officeParts: readonly (readonly [part: string, kind: FileKind])[] = [
  ['word/document.xml', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xl/workbook.xml', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['ppt/presentation.xml', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
];
const openDocumentKinds: readonly FileKind[] = [
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.presentation',
];

/** The kind of an archive that is a document, which the names in its directory, or its first file, tell. */
function documentKind(head: Buffer, tail: Buffer): FileKind | undefined {
  const headText = head.toString('latin1', 30, 120);
  const open = openDocumentKinds.find((kind) => headText.startsWith(`mimetype${kind}`));
  if (open) return open;
  const directory = tail.toString('latin1');
  return officeParts.find(([part]) => directory.includes(part))?.[1];
}

/** The kind of a text; undefined for what is none. `isCut`: the file is longer than its head. */
function textKind(head: Buffer, isCut: boolean, name: string): FileKind | undefined {
  const text = decodeText(head, isCut);
  if (text === undefined) return undefined;
  // A browser runs these, whatever their name is.
  const root = /^(?:\s|<\?[^>]*>|<!--[\s\S]*?-->|<!doctype[^>]*>)*<([a-z][\w:-]*)/i.exec(text)?.[1]?.toLowerCase();
  if (/^\s*<!doctype\s+html/i.test(text) || (root && htmlRoots.has(root))) return 'text/html';
  if (root === 'svg') return 'image/svg+xml';
  if (/^\s*<\?xml/i.test(text)) return 'application/xml';
  const end = lastOf(name.split('.')).toLowerCase();
  if (/^\s*[[{]/.test(text) && (end === 'json' || end === 'har')) return 'application/json';
  return end === 'csv' ? 'text/csv' : 'text/plain';
}

const htmlRoots: ReadonlySet<string> = new Set(['html', 'head', 'body', 'script', 'iframe', 'style', 'meta', 'title']);

/** The text in UTF-8; undefined if it is none, or has characters that texts do not have. */
function decodeText(head: Buffer, isCut: boolean): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: isCut });
    // Such characters are what tells a text from other files.
    return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
