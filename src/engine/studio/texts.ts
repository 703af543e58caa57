import { normalise } from '../definitions/normalise';
import type { Source } from '../definitions/source';
import { joinPointer } from '../definitions/problems';
import { parsePointer, valueAtPath } from './json';
import { setAtPath } from './set-at-path';

/** A text of a module, and its place. */
export interface TextView {
  /** JSON pointer. */
  readonly path: string;
  readonly label: string;
  /** Undefined if the default text is used. */
  readonly written?: string;
  /** The default text. */
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
  ['titles', 'view', 'Title of the read-only view'],
  ['titles', 'add', 'Add button'],
  ['list', 'empty', 'Text of the empty list'],
  ['toasts', 'created', 'Message after creating'],
  ['toasts', 'updated', 'Message after saving'],
  ['toasts', 'deleted', 'Message after deleting'],
  ['toasts', 'restored', 'Message after unarchiving'],
  ['toasts', 'copied', 'Message after copying'],
  ['delete', 'confirm', 'Confirmation before deleting'],
  ['archive', 'confirmRestore', 'Confirmation before unarchiving'],
];

/** The texts of a module, with their defaults. */
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
      const written = valueAtPath(source, [room, key]);
      const said = valueAtPath({ ...usual, delete: { confirm: 'Are you sure you want to delete?' } }, [room, key]);
      return {
        path: joinPointer('', room, key),
        label,
        ...(typeof written === 'string' && { written }),
        usual: String(said ?? ''),
      };
    });
}

/** The definition with one of its texts written; undefined or nothing: the usual one. */
export function writeText(source: Source, path: string, text: string | undefined): Source {
  const steps = parsePointer(path);
  const written = text === undefined || text === '' ? undefined : text;
  if (steps[0] === 'archive' && typeof source.archive !== 'object') {
    return written === undefined ? source : { ...source, archive: { confirmRestore: written } };
  }
  const made = setAtPath(source, steps, written);
  return steps[0] === 'archive' && made.archive === undefined ? setAtPath(source, ['archive'], true) : made;
}
