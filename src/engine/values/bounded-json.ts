/** The limits of JSON from a caller. */
export interface JsonLimits {
  /** Lists and objects within each other. */
  readonly depth: number;
  /** Names of one object. */
  readonly names: number;
  /** Names and entries of all objects and lists together. */
  readonly values: number;
}

/** Far more than a record, a definition or a condition needs. */
export const defaultJsonLimits: JsonLimits = { depth: 64, names: 1_000, values: 50_000 };

/** JSON that exceeds a limit. The message begins with a verb, so that it fits behind the name of what was read. */
export class JsonLimitError extends Error {}

const format = (count: number) => count.toLocaleString('en');

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [listBegin, listEnd, objectBegin, objectEnd] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Checks the limits of a JSON text before anything is built of it, in linear time and constant memory: JSON.parse takes
 * seconds and gigabytes for a few megabytes of nothing but brackets. It does not check whether the text is JSON at all.
 * The text may come in pieces, and bytes as Latin-1, since only characters below 128 matter.
 *
 * @example
 *   const scanner = new JsonScanner(defaultJsonLimits);
 *   for (const piece of pieces) scanner.scan(piece); // throws JsonLimitError with the piece that is too much
 */
export class JsonScanner {
  private depth = 0;
  private values = 0;
  /** The last piece ended within a text; and there behind a backslash that has no partner. */
  private inText = false;
  private isEscaped = false;
  /** By depth, the number of names of the object that is open there; negative for a list. */
  private readonly names: number[] = [-Infinity];

  constructor(private readonly limits: JsonLimits) {}

  /** Reads the next piece. Throws JsonLimitError. */
  scan(piece: string): void {
    if (piece === '') return;
    let index = this.inText ? this.skipText(piece, 0) : 0;
    while (index < piece.length) {
      const code = piece.charCodeAt(index++);
      if (code === quote) index = this.skipText(piece, index);
      else if (code === comma) this.countValue();
      else if (code === listBegin) this.enter(-Infinity);
      else if (code === objectBegin) this.enter(0);
      else if ((code === listEnd || code === objectEnd) && this.depth > 0) this.depth--;
    }
  }

  /** The index behind the text that begins, or continues, at an index. */
  private skipText(piece: string, start: number): number {
    let begin = start;
    if (this.isEscaped) {
      this.isEscaped = false;
      begin++;
    }
    for (;;) {
      const quoteIndex = piece.indexOf('"', begin);
      const end = quoteIndex < 0 ? piece.length : quoteIndex;
      let textEnd = end;
      while (textEnd > begin && piece.charCodeAt(textEnd - 1) === backslash) textEnd--;
      const isEscaped = (end - textEnd) % 2 === 1;
      if (quoteIndex < 0) {
        this.inText = true;
        this.isEscaped = isEscaped;
        return end;
      }
      begin = quoteIndex + 1;
      if (isEscaped) continue;
      this.inText = false;
      return begin;
    }
  }

  private enter(names: number): void {
    if (this.depth === this.limits.depth)
      throw new JsonLimitError(`is nested too deeply: at most ${this.limits.depth} levels are read`);
    this.names[++this.depth] = names;
    this.countValue();
  }

  /** Behind every comma is a name or an entry, and behind every opening bracket the first one. */
  private countValue(): void {
    const { names, values } = this.limits;
    if (++this.values > values)
      throw new JsonLimitError(`has too many values: at most ${format(values)} are read at once`);
    if (++this.names[this.depth]! > names)
      throw new JsonLimitError(`has too many fields: at most ${format(names)} are read of one object`);
  }
}

/**
 * The value of a JSON text from a caller. Throws a SyntaxError for what is no JSON, and JsonLimitError.
 *
 * @example parseBoundedJson('{"status_id":[1,2]}'); // { status_id: [1, 2] }
 */
export function parseBoundedJson(text: string, limits: JsonLimits = defaultJsonLimits): unknown {
  new JsonScanner(limits).scan(text);
  return JSON.parse(text);
}
