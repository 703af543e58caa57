import type { Source } from '../../../engine/language/source';
import { pointerSteps } from './jsonPlaces';

/** An error of the draft as it is shown below its line. */
export interface EditorError {
  /** JSON pointer of the place; or the line, from 1, if the text cannot be parsed. */
  readonly location: string | number;
  /** Shown first, in bold, such as the wrong key; empty for none. */
  readonly subject: string;
  readonly message: string;
  /** The suggested fix: the wrong text and its replacement. */
  readonly fix?: { readonly wrongText: string; readonly replacement: string };
}

const unknownKey = /^Unknown property "([^"]+)"/;
const suggestion = / Did you mean "([^"]+)"\?$/;

/** An error of a plan in the form that is shown below its line. */
export function toEditorError({ path, message }: { path: string; message: string }, source: Source): EditorError {
  const replacement = suggestion.exec(message)?.[1];
  const wrongText = /"([^"]+)"/.exec(message)?.[1];
  const fix = replacement !== undefined && wrongText !== undefined ? { wrongText, replacement } : undefined;
  const rest = message.replace(suggestion, '');
  const key = unknownKey.exec(message)?.[1];
  if (key === undefined) return { location: path, subject: '', message: rest, fix };
  const [, properties = ''] = / Known properties: (.+)\.$/.exec(rest) ?? [];
  const choice = properties && ` Known properties: ${properties}.`;
  return {
    location: path,
    subject: key,
    message: ` is not a property of ${describeOwner(path, source)}.${choice}`,
    fix,
  };
}

/** The owner of an unknown property: `a url field`, `“list”`, `a definition`. */
function describeOwner(path: string, source: Source): string {
  const [part, name = ''] = pointerSteps(path);
  const steps = pointerSteps(path).length;
  if (part === 'fields' && steps === 3) return withArticle(`${source.fields[name]?.type ?? 'text'} field`);
  if (steps === 1) return 'a definition';
  return steps === 2 ? `“${part}”` : `“${pointerSteps(path).at(-2)}”`;
}

const withArticle = (words: string) => `${/^(?:[aeio]|u(?!rl))/i.test(words) ? 'an' : 'a'} ${words}`;
