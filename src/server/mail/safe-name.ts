/** Maximum length of a name in a mail. */
const maxNameLength = 80;

/**
 * Makes a user-supplied name safe for a mail: one line, without anything that mail programs turn into a link or an
 * address (`evil.example`, `https:`, `@`), and without characters that change the text direction.
 */
export function safeMailName(name: string): string {
  const flat = name
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/@+|\/{2,}|\\+|:(?=\S)/g, ' ')
    .replace(/(?<=[\p{L}\p{N}_-])[.。]+(?=[\p{L}\p{N}])(?!\p{Lu}(?!\p{L}))/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const signs = [...flat];
  return signs.length > maxNameLength
    ? `${signs
        .slice(0, maxNameLength - 1)
        .join('')
        .trimEnd()}…`
    : flat;
}

/** Whether a name contains a link, an address or several lines. */
export function isUnsafeName(text: string): boolean {
  return /[\p{Cc}\p{Zl}\p{Zp}@]|:\/\/|\bwww\./iu.test(text.normalize('NFKC'));
}
