/** The kinds of files that the server tells apart by their content, with the ends of their names. */
export const fileKinds = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'image/avif': ['avif'],
  'image/heic': ['heic', 'heif'],
  'image/bmp': ['bmp'],
  'image/tiff': ['tif', 'tiff'],
  'image/svg+xml': ['svg'],
  'application/pdf': ['pdf'],
  'text/plain': ['txt', 'log', 'md'],
  'text/csv': ['csv'],
  'text/html': ['html', 'htm', 'xhtml'],
  'application/json': ['json', 'har'],
  'application/xml': ['xml'],
  'application/zip': ['zip'],
  'application/gzip': ['gz', 'tgz'],
  'application/x-7z-compressed': ['7z'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  'application/vnd.oasis.opendocument.text': ['odt'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
  'application/vnd.oasis.opendocument.presentation': ['odp'],
  'video/mp4': ['mp4', 'm4v'],
  'video/quicktime': ['mov'],
  'video/webm': ['webm'],
  'audio/mpeg': ['mp3'],
  'audio/wav': ['wav'],
  'audio/ogg': ['ogg', 'oga'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type FileKind = keyof typeof fileKinds;

/** The kind of a file whose content has none of these. */
export const otherKind = 'application/octet-stream';

/** The kind that accepts every file. */
export const anyKind = '*/*';

/**
 * Whether a kind is one of those that are accepted: `image/png`, `image/*` or any.
 *
 * @example isAcceptedKind('image/png', ['image/*', 'application/pdf']); // true
 */
export function isAcceptedKind(kind: string, accept: readonly string[]): boolean {
  return accept.some(
    (acceptedKind) =>
      acceptedKind === anyKind ||
      acceptedKind === kind ||
      (acceptedKind.endsWith('/*') && kind.startsWith(acceptedKind.slice(0, -1))),
  );
}

/**
 * The kinds that something accepts.
 *
 * @example acceptedKinds(['application/pdf', 'text/*']); // ['application/pdf', 'text/plain', 'text/csv', 'text/html']
 */
export function acceptedKinds(accept: readonly string[]): FileKind[] {
  return (Object.keys(fileKinds) as FileKind[]).filter((kind) => isAcceptedKind(kind, accept));
}

/** Groups of kinds in words. */
const groups: Readonly<Record<string, string>> = {
  'image/*': 'pictures',
  'video/*': 'videos',
  'audio/*': 'sounds',
  'text/*': 'texts',
};

/**
 * The accepted kinds in words.
 *
 * @example describeAccepted(['image/*', 'application/pdf']); // 'pictures or PDF'
 */
export function describeAccepted(accept: readonly string[]): string {
  if (accept.includes(anyKind)) return 'files of any kind';
  const words = accept.map((acceptedKind) => groups[acceptedKind] ?? kindName(acceptedKind));
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/**
 * The short name of a kind.
 *
 * @example kindName('application/pdf'); // 'PDF'
 */
export function kindName(kind: string): string {
  const [end] = Object.hasOwn(fileKinds, kind) ? fileKinds[kind as FileKind] : [];
  return end?.toUpperCase() ?? 'File';
}
