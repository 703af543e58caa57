const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/**
 * Converts sanitised HTML to plain text: one line per block, list items with a dash, and links followed by their URL.
 */
export function plainTextOf(html: string): string {
  const lines = html
    .replace(/\s+/g, ' ')
    .replace(/<a\b[^<>]*?\bhref="([^"<>]*)"[^<>]*>(.*?)<\/a>/gi, (_, address: string, words: string) =>
      words.trim() === address || words.trim() === '' ? address : `${words}: ${address}`,
    )
    .replace(/<li\b[^<>]*>/gi, '\n- ')
    .replace(/<(br|hr|tr)\b[^<>]*>/gi, '\n')
    .replace(/<\/(td|th)>/gi, ' ')
    .replace(/<\/?(p|div|h[1-6]|ul|ol|blockquote|pre|table)\b[^<>]*>/gi, '\n\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(#x[\da-f]+|#\d+|\w+);/gi, (whole, code: string) => decoded(code) ?? whole)
    .split('\n')
    .map((line) => line.trim());
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function decoded(code: string): string | undefined {
  if (!code.startsWith('#')) return named[code.toLowerCase()];
  const point = /^#x/i.test(code) ? Number.parseInt(code.slice(2), 16) : Number(code.slice(1));
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '';
}
