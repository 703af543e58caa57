/** Type and size of a picture. */
export interface PictureContent {
  readonly type: 'image/png' | 'image/jpeg' | 'image/webp';
  readonly width: number;
  readonly height: number;
}

/** The number of bytes that identify a picture. */
export const longestStart = 12;

/** Whether a file may be a picture, by its first bytes. */
export function mayBePicture(start: Buffer): boolean {
  return (
    start.toString('hex', 0, 4) === '89504e47' ||
    start.toString('hex', 0, 3) === 'ffd8ff' ||
    (start.toString('latin1', 0, 4) === 'RIFF' && start.toString('latin1', 8, 12) === 'WEBP')
  );
}

/** Reads type and size of a picture; undefined for anything else, and if its size cannot be read. */
export function pictureContent(bytes: Uint8Array): PictureContent | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = png(data) ?? jpeg(data) ?? webp(data);
  return found && found.width > 0 && found.height > 0 ? found : undefined;
}

function png(data: Buffer): PictureContent | undefined {
  const signature = '89504e470d0a1a0a';
  if (data.length < 45 || data.toString('hex', 0, 8) !== signature || data.toString('latin1', 12, 16) !== 'IHDR') {
    return undefined;
  }
  return { type: 'image/png', width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
}

/** The size is in the frame's segment; segments before it are skipped. */
function jpeg(data: Buffer): PictureContent | undefined {
  if (data.length < 20 || data.toString('hex', 0, 3) !== 'ffd8ff') return undefined;
  let at = 2;
  while (at + 9 < data.length) {
    if (data[at] !== 0xff) return undefined;
    const marker = data[at + 1]!;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { type: 'image/jpeg', height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) };
    if (marker === 0xd9 || marker === 0xda) return undefined;
    at += 2 + data.readUInt16BE(at + 2);
  }
  return undefined;
}

function webp(data: Buffer): PictureContent | undefined {
  if (data.length < 30 || data.toString('latin1', 0, 4) !== 'RIFF' || data.toString('latin1', 8, 12) !== 'WEBP') {
    return undefined;
  }
  const type = 'image/webp';
  switch (data.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { type, width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      if (data[20] !== 0x2f) return undefined;
      const bits = data.readUInt32LE(21);
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      if (data.toString('hex', 23, 26) !== '9d012a') return undefined;
      return { type, width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff };
    default:
      return undefined;
  }
}
