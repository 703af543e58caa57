/** Matches instructions for terminals: colours, links, movements of the cursor. Some producers write the escape character as text. */
const instructions =
  /(?:\u001b\[|\u009b)[\d;:?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|(?:&#(?:0*27|x0*1b);|#x1b|\u241b)\[[\d;:]*m/gi;
/** Characters that neither XML nor a database takes. */
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/**
 * A text without the colours of a terminal and without characters that neither XML nor a database takes; half of a pair
 * of surrogates becomes the replacement character.
 *
 * @example toPlainText('\u001b[31mred\u001b[0m'); // 'red'
 */
export function toPlainText(text: string): string {
  return text
    .replace(instructions, '')
    .replace(forbidden, '')
    .replace(/\p{Surrogate}/gu, '\ufffd');
}

const escapeReference = /&#(?:0*27|x0*1b);/gi;
const reference = /&#(?:(\d{1,10})|x([\da-f]{1,8}));/gi;
/** The end of a piece of XML that may go on in the next one: a reference, or an instruction for a terminal. */
const unfinishedEnd = /(?:&#?[\da-z]{0,12}|(?:\u001b|&#(?:0*27|x0*1b);)\[?[\d;:?]*)$/i;

/** Whether XML allows a character. */
const isAllowed = (code: number): boolean =>
  code === 9 ||
  code === 10 ||
  code === 13 ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff);

/**
 * The pieces of an XML document without characters that XML forbids, written as they are or as references: producers
 * copy what programs print into their reports.
 *
 * @example for await (const piece of cleanXml(pieces)) parser.write(piece);
 */
export async function* cleanXml(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  const clean = (text: string) =>
    toPlainText(text.replace(escapeReference, '\u001b')).replace(reference, (match, decimal?: string, hex?: string) =>
      isAllowed(decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal)) ? match : '',
    );
  for await (const piece of pieces) {
    const text = rest + piece;
    const end = unfinishedEnd.exec(text.slice(-100));
    const length = text.length - (end?.[0].length ?? 0);
    rest = text.slice(length);
    yield clean(text.slice(0, length));
  }
  yield clean(rest);
}
