import { normalise } from '../definitions/normalise';
import type { Source } from '../definitions/source';
import { at } from '../definitions/paths';
import { stepsOf, valueAt } from './json';
import { setAt } from './set-at';

/** A text that a module says, and where it is written. */
export interface TextView {
  /** JSON pointer. */
  readonly path: string;
  readonly label: string;
  /** Undefined where the usual text is said. */
  readonly written?: string;
  /** What is said unless something is written. */
  readonly usual: string;
}

const texts: readonly (readonly [
  room: 'titles' | 'toasts' | 'delete' | 'archive' | 'list',
  key: string,
  label: string,
])[] = [
  ['titles', 'list', 'Title of the list'],
  ['titles', 'create', 'Title of a new record'],
  ['titles', 'edit', 'Title of the form'],
  ['titles', 'copy', 'Title of a copy'],
  ['titles', 'view', 'Title when looking'],
  ['titles', 'add', 'Button that adds'],
  ['list', 'empty', 'Words of the empty list'],
  ['toasts', 'created', 'Said after adding'],
  ['toasts', 'updated', 'Said after saving'],
  ['toasts', 'deleted', 'Said after deleting'],
  ['toasts', 'restored', 'Said after taking back'],
  ['toasts', 'copied', 'Said after copying'],
  ['delete', 'confirm', 'Question before deleting'],
  ['archive', 'confirmRestore', 'Question before taking back'],
];

/** The texts that a module says, with what is said unless something is written. */
export function readTexts(source: Source): TextView[] {
  const { titles: _titles, toasts: _toasts, ...plain } = source;
  const usual = normalise({
    ...plain,
    ...(source.delete && { delete: { ...source.delete, confirm: undefined } }),
    ...(source.list && { list: { ...source.list, empty: undefined } }),
    ...(source.archive && { archive: true }),
  } as Source);
  return texts
    .filter(([room]) => room !== 'archive' || source.archive)
    .map(([room, key, label]) => {
      const written = valueAt(source, [room, key]);
      const said = valueAt({ ...usual, delete: { confirm: 'Are you sure you want to delete?' } }, [room, key]);
      return {
        path: at('', room, key),
        label,
        ...(typeof written === 'string' && { written }),
        usual: String(said ?? ''),
      };
    });
}

/** The definition with one of its texts written; undefined or nothing: the usual one. */
export function writeText(source: Source, path: string, text: string | undefined): Source {
  const steps = stepsOf(path);
  const written = text === undefined || text === '' ? undefined : text;
  if (steps[0] === 'archive' && typeof source.archive !== 'object') {
    return written === undefined ? source : { ...source, archive: { confirmRestore: written } };
  }
  const made = setAt(source, steps, written);
  return steps[0] === 'archive' && made.archive === undefined ? setAt(source, ['archive'], true) : made;
}
