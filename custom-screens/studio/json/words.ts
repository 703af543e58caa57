import type { Source } from '../../../src/engine/definitions/source';
import { stepsOf } from './places';

/** A fault of the draft as it is told under its line. */
export interface Fault {
  /** JSON pointer of the place; or the line, from 1, of a text that cannot be read. */
  readonly place: string | number;
  /** What stands first in bold, such as the wrong key; empty for none. */
  readonly subject: string;
  readonly message: string;
  /** What stands there, and what was probably meant. */
  readonly mend?: { readonly wrong: string; readonly right: string };
}

const unknownKey = /^There is no key "([^"]+)" here/;
const meant = / Did you mean "([^"]+)"\?$/;

/** What is wrong at a place, in the words that fit under its line. */
export function faultOf({ path, message }: { path: string; message: string }, source: Source): Fault {
  const right = meant.exec(message)?.[1];
  const wrong = /"([^"]+)"/.exec(message)?.[1];
  const mend = right !== undefined && wrong !== undefined ? { wrong, right } : undefined;
  const rest = message.replace(meant, '');
  const key = unknownKey.exec(message)?.[1];
  if (key === undefined) return { place: path, subject: '', message: rest, mend };
  const [, listed = ''] = /; there are (.+)\.$/.exec(rest) ?? [];
  const choice = listed && ` There are ${listed}.`;
  return { place: path, subject: key, message: ` is not a property of ${ownerOf(path, source)}.${choice}`, mend };
}

/** Whose property it was to be: `a url field`, `a list`, `this definition`. */
function ownerOf(path: string, source: Source): string {
  const [part, name = ''] = stepsOf(path);
  const steps = stepsOf(path).length;
  if (part === 'fields' && steps === 3) return withArticle(`${source.fields[name]?.type ?? 'text'} field`);
  if (steps === 1) return 'a definition';
  return steps === 2 ? `“${part}”` : `“${stepsOf(path).at(-2)}”`;
}

const withArticle = (words: string) => `${/^(?:[aeio]|u(?!rl))/i.test(words) ? 'an' : 'a'} ${words}`;
