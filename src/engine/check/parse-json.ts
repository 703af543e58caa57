import { printParseErrorCode, visit, type JSONPath } from 'jsonc-parser';
import { defaultJsonLimits, JsonLimitError, JsonScanner } from '../values/bounded-json';
import { joinPointer } from '../definitions/problems';

/** Parsed JSON: its value and the line (from 1) of every place, by JSON pointer. */
export interface ParsedJson {
  readonly value: unknown;
  readonly lines: ReadonlyMap<string, number>;
}

/** Invalid JSON; `line` (from 1) is where the error is. */
export class JsonError extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Parses JSON. A duplicate key in an object is also an error: JSON.parse would silently drop the first.
 * Throws JsonError.
 *
 * @example readJson('{\n  "a": [1]\n}').lines.get('/a/0'); // 2
 */
export function parseJson(text: string): ParsedJson {
  try {
    new JsonScanner({ depth: defaultJsonLimits.depth, names: Infinity, values: Infinity }).scan(text);
  } catch (error) {
    throw error instanceof JsonLimitError ? new JsonError(1, `The definition ${error.message}.`) : error;
  }
  const lines = linesOf(text);
  try {
    return { value: JSON.parse(text) as unknown, lines };
  } catch (error) {
    throw new JsonError(1, error instanceof Error ? error.message : 'This is not valid JSON.');
  }
}

function linesOf(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  const position = new Position();
  const begin = (line: number, path: JSONPath) => {
    const pointer = joinPointer('', ...path);
    // For a property, the line of its key.
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
        position.lastToken = 'value';
      },
      onObjectProperty: (key, offset, length, line, _column, path) => {
        const pointer = joinPointer('', ...path(), key);
        if (lines.has(pointer)) throw new JsonError(line + 1, `The key ${token(offset, length)} is duplicated.`);
        lines.set(pointer, line + 1);
        position.lastToken = 'key';
      },
      onSeparator: (character) => {
        position.lastToken = character as ',' | ':';
      },
      onObjectEnd: (offset) => position.leave(token(offset, 1) === '}'),
      onArrayEnd: (offset) => position.leave(token(offset, 1) === ']'),
      onError: (code, offset, length, line) => {
        // Other errors concern only the token itself.
        const expectation = printParseErrorCode(code).endsWith('Expected') && position.expectation();
        const unexpectedText = offset === text.length ? 'the end of the file' : token(offset, length).split('\n', 1)[0];
        throw new JsonError(
          line + 1,
          `This is not valid JSON: found ${unexpectedText} instead of ${expectation || 'something else'}.`,
        );
      },
    },
    { disallowComments: true },
  );
  return lines;
}

/** The last token and the enclosing brackets: enough to tell what is expected next. */
class Position {
  private readonly brackets: ('{' | '[')[] = [];
  lastToken: '{' | '[' | ',' | ':' | 'key' | 'value' | undefined;

  enter(bracket: '{' | '['): void {
    this.brackets.push(bracket);
    this.lastToken = bracket;
  }

  /** Also called where the text breaks off: then `isClosed` is false. */
  leave(isClosed: boolean): void {
    if (!isClosed) return;
    this.brackets.pop();
    this.lastToken = 'value';
  }

  /** Undefined after the whole value, when nothing can follow. */
  expectation(): string | undefined {
    const bracket = this.brackets.at(-1);
    if (this.lastToken === '{') return 'a key in quotes or }';
    if (this.lastToken === 'key') return 'a colon';
    if (this.lastToken === ',') return bracket === '{' ? 'a key after the comma' : 'a value after the comma';
    if (this.lastToken !== 'value') return 'a value';
    return bracket && `a comma or ${bracket === '{' ? '}' : ']'}`;
  }
}
