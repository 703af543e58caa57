/** How formatted text is laid out without its markup. */
export interface TextLayout {
  /** Each item of a list begins with this; with nothing by default. */
  readonly bullet?: string;
  /** As in a mail: an empty line between paragraphs, and white space of the source is a space. */
  readonly spaced?: boolean;
  /** An empty paragraph is an empty line, as whoever reads the text as paragraphs has it again. */
  readonly emptyLines?: boolean;
  /** Links are followed by the address that they lead to. */
  readonly addresses?: boolean;
}

/**
 * The text of sanitized markup: a line for each paragraph, item and row. Exports call it for every cell, so it is a few
 * passes of expressions, each of which takes time that grows with the length alone.
 * @example markupToText('<p>A &amp; B</p><ul><li>one</li></ul>', { bullet: '• ' }) // 'A & B\n• one'
 */
export function markupToText(
  html: string,
  { bullet = '', spaced = false, emptyLines = false, addresses = false }: TextLayout = {},
): string {
  let text = spaced ? html.replace(/\s+/g, ' ') : html;
  if (emptyLines) text = text.replace(emptyParagraphs, `<p>${emptyLine}</p>`);
  if (addresses) text = text.replace(links, withAddress);
  if (text.includes('<'))
    text = text
      .replace(itemStarts, bullet)
      .replace(cellEnds, ' ')
      .replace(lineEnds, '\n')
      .replace(blocks, spaced ? '\n\n' : '\n')
      .replace(/<[^<>]*>/g, '');
  if (text.includes('&')) text = text.replace(/&(#x[\da-f]+|#\d+|\w+);/gi, decoded);
  if (!spaced) {
    const lines = text.replace(/\n\s*\n/g, '\n');
    return (emptyLines ? lines.replaceAll(emptyLine, '') : lines).trim();
  }
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const emptyParagraphs = /<p\b[^<>]*>(?:\s|<br\b[^<>]*>)*<\/p>/gi;
/** No stored text has this character. */
const emptyLine = '\0';
const links = /<a\b([^<>]*)>([^<]*(?:<(?!\/?a\b)[^<]*)*)<\/a>/gi;
/** An item's own paragraph goes on behind its bullet, and ends with the item. */
const itemStarts = /<li\b[^<>]*>(?:\s*<p\b[^<>]*>)?/gi;
const lineEnds = /(?:<\/p>\s*)?<\/li>|<(?:br|hr|\/tr)\b[^<>]*>/gi;
/** Of all cells of a row but the last. */
const cellEnds = /<\/t[dh]>(?!\s*<\/tr)/gi;
const blocks = /<\/?(?:p|div|h[1-6]|[uo]l|table|blockquote|pre)\b[^<>]*>/gi;

function withAddress(_: string, attributes: string, content: string): string {
  const address = /\bhref="([^"]*)"/i.exec(attributes)?.[1] ?? '';
  const words = content.trim();
  return words === '' || words === address ? address : address === '' ? content : `${content}: ${address}`;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function decoded(match: string, name: string): string {
  if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? match;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : match;
}
