import { at } from './paths';

/** A JSON text, read: its value and the line (from 1) of every place in it, by JSON pointer. */
export interface ReadJson {
  readonly value: unknown;
  readonly lines: ReadonlyMap<string, number>;
}

/** A text that is no JSON; `line` says where it stops being it. */
export class JsonError extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

const tokens =
  /[ \t\r\n]+|[{}[\],:]|"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

/** Reads a JSON text. A key that stands twice in one object is an error too: the parser would drop the first in silence. */
export function readJson(text: string): ReadJson {
  const lines = new Map<string, number>();
  const reader = new Reader(text);
  walk(reader, '', reader.next(), lines);
  const rest = reader.next();
  if (rest !== '') throw reader.unexpected(rest);
  try {
    return { value: JSON.parse(text) as unknown, lines };
  } catch (error) {
    throw new JsonError(1, error instanceof Error ? error.message : 'This is no JSON.');
  }
}

class Reader {
  private position = 0;
  line = 1;
  /** The line that the last token stands on. */
  tokenLine = 1;

  constructor(private readonly text: string) {}

  /** The next token that is no white space; empty at the end. */
  next(): string {
    for (;;) {
      if (this.position >= this.text.length) return '';
      tokens.lastIndex = this.position;
      const token = tokens.exec(this.text)?.[0];
      this.tokenLine = this.line;
      if (token === undefined) throw this.unexpected(this.text[this.position]!);
      this.position = tokens.lastIndex;
      if (token.trim() !== '') return token;
      this.line += token.split('\n').length - 1;
    }
  }

  unexpected(token: string, wanted = ''): JsonError {
    const found = token === '' ? 'the file ends' : `${token} stands`;
    return new JsonError(this.tokenLine, `This is no JSON: ${found} where ${wanted || 'something else'} belongs.`);
  }
}

function walk(reader: Reader, path: string, token: string, lines: Map<string, number>): void {
  if (!lines.has(path)) lines.set(path, reader.tokenLine);
  if (token === '{') walkObject(reader, path, lines);
  else if (token === '[') walkList(reader, path, lines);
  else if (token === '' || /^[}\],:]$/.test(token)) throw reader.unexpected(token, 'a value');
}

function walkObject(reader: Reader, path: string, lines: Map<string, number>): void {
  let key = reader.next();
  while (key !== '}') {
    if (!key.startsWith('"')) throw reader.unexpected(key, 'a key in quotes or }');
    const here = at(path, readText(reader, key));
    if (lines.has(here)) throw new JsonError(reader.tokenLine, `The key ${key} stands here twice.`);
    lines.set(here, reader.tokenLine);
    const colon = reader.next();
    if (colon !== ':') throw reader.unexpected(colon, 'a colon');
    walk(reader, here, reader.next(), lines);
    const end = reader.next();
    if (end === '}') return;
    if (end !== ',') throw reader.unexpected(end, 'a comma or }');
    key = reader.next();
    if (key === '}') throw reader.unexpected(key, 'a key after the comma');
  }
}

function walkList(reader: Reader, path: string, lines: Map<string, number>): void {
  let token = reader.next();
  for (let index = 0; token !== ']'; index++) {
    walk(reader, at(path, index), token, lines);
    const end = reader.next();
    if (end === ']') return;
    if (end !== ',') throw reader.unexpected(end, 'a comma or ]');
    token = reader.next();
    if (token === ']') throw reader.unexpected(token, 'a value after the comma');
  }
}

function readText(reader: Reader, token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    throw reader.unexpected(token, 'a text');
  }
}
