import { imageDimensionsFromData, type ImageType } from 'image-dimensions';

const types = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const;
/** Files with fewer bytes are nothing but a header. */
const shortest = { png: 45, jpeg: 20, webp: 30 } as const;

/** Type and size of a picture. */
export interface PictureInfo {
  readonly type: (typeof types)[keyof typeof types];
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** The number of bytes that identify a picture. */
export const pictureHeaderLength = 12;

/** Whether a file may be a picture, by its first bytes. */
export function hasPictureHeader(start: Buffer): boolean {
  return (
    start.toString('hex', 0, 4) === '89504e47' ||
    start.toString('hex', 0, 3) === 'ffd8ff' ||
    (start.toString('latin1', 0, 4) === 'RIFF' && start.toString('latin1', 8, 12) === 'WEBP')
  );
}

/** Reads type and size of a picture; undefined for anything else, and if its size cannot be read. */
export function readPictureInfo(bytes: Uint8Array): PictureInfo | undefined {
  const dimensions = imageDimensionsFromData(bytes);
  if (!dimensions || !isTaken(dimensions.type) || dimensions.width === 0 || dimensions.height === 0) return undefined;
  if (isFragment(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), dimensions.type)) return undefined;
  return { type: types[dimensions.type], width: dimensions.width, height: dimensions.height };
}

function isTaken(type: ImageType): type is keyof typeof types {
  return Object.hasOwn(types, type);
}

/** Whether a file, of which the library reads only the header, contains nothing that a browser could show. */
function isFragment(data: Buffer, type: keyof typeof types): boolean {
  if (data.length < shortest[type]) return true;
  const kind = data.toString('latin1', 12, 16);
  // Apple's own variant of PNG begins with another chunk; other browsers do not show it.
  if (type === 'png') return kind !== 'IHDR';
  return type === 'webp' && kind === 'VP8 ' && data.toString('hex', 23, 26) !== '9d012a';
}
