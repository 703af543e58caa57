import { printParseErrorCode, visit, type JSONPath } from 'jsonc-parser';
import { at } from './paths';

/** A JSON text that was read: its value and the line (from 1) of every place in it, by JSON pointer. */
export interface ReadJson {
  readonly value: unknown;
  readonly lines: ReadonlyMap<string, number>;
}

/** A text that is no JSON; `line` (from 1) is the one on which it stops being JSON. */
export class JsonError extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Reads a JSON text. A key that is in one object twice is an error too: the parser would drop the first without a word.
 * Throws a `JsonError`.
 *
 * @example readJson('{\n  "a": [1]\n}').lines.get('/a/0'); // 2
 */
export function readJson(text: string): ReadJson {
  const lines = linesOf(text);
  try {
    return { value: JSON.parse(text) as unknown, lines };
  } catch (error) {
    throw new JsonError(1, error instanceof Error ? error.message : 'This is no JSON.');
  }
}

function linesOf(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  const position = new Position();
  const begin = (line: number, path: JSONPath) => {
    const pointer = at('', ...path);
    // Of a property it is the line of its key.
    if (!lines.has(pointer)) lines.set(pointer, line + 1);
  };
  const token = (offset: number, length: number) => text.slice(offset, offset + length);
  visit(
    text,
    {
      onObjectBegin: (_offset, _length, line, _column, path) => {
        begin(line, path());
        position.enter('{');
      },
      onArrayBegin: (_offset, _length, line, _column, path) => {
        begin(line, path());
        position.enter('[');
      },
      onLiteralValue: (_value, _offset, _length, line, _column, path) => {
        begin(line, path());
        position.after = 'value';
      },
      onObjectProperty: (key, offset, length, line, _column, path) => {
        const pointer = at('', ...path(), key);
        if (lines.has(pointer)) throw new JsonError(line + 1, `The key ${token(offset, length)} stands here twice.`);
        lines.set(pointer, line + 1);
        position.after = 'key';
      },
      onSeparator: (character) => {
        position.after = character as ',' | ':';
      },
      onObjectEnd: (offset) => position.leave(token(offset, 1) === '}'),
      onArrayEnd: (offset) => position.leave(token(offset, 1) === ']'),
      onError: (code, offset, length, line) => {
        // Other errors are of a token alone, wherever it is.
        const expected = printParseErrorCode(code).endsWith('Expected') && position.expected();
        const found = offset === text.length ? 'the file ends' : `${token(offset, length).split('\n', 1)[0]} stands`;
        throw new JsonError(line + 1, `This is no JSON: ${found} where ${expected || 'something else'} belongs.`);
      },
    },
    { disallowComments: true },
  );
  return lines;
}

/** What was read last, and within what: enough to say what would have to follow. */
class Position {
  private readonly around: ('{' | '[')[] = [];
  after: '{' | '[' | ',' | ':' | 'key' | 'value' | undefined;

  enter(bracket: '{' | '['): void {
    this.around.push(bracket);
    this.after = bracket;
  }

  /** Ends are told where a text breaks off, too: those are not `closed`. */
  leave(closed: boolean): void {
    if (!closed) return;
    this.around.pop();
    this.after = 'value';
  }

  /** Undefined behind the whole value, which nothing may follow. */
  expected(): string | undefined {
    const around = this.around.at(-1);
    if (this.after === '{') return 'a key in quotes or }';
    if (this.after === 'key') return 'a colon';
    if (this.after === ',') return around === '{' ? 'a key after the comma' : 'a value after the comma';
    if (this.after !== 'value') return 'a value';
    return around && `a comma or ${around === '{' ? '}' : ']'}`;
  }
}
