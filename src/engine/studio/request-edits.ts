import type { RequestSource, Source } from '../language/source';
import { setAtPath } from './set-at-path';
import { itemAt } from '../values/lookups';

/** The places that name requests in lists: row actions, and the menus of cards, of the board and of the gallery. */
const menus = [
  ['list', 'actions'],
  ['list', 'card', 'menu'],
  ['list', 'kanban', 'menu'],
  ['list', 'gallery', 'menu'],
] as const;

type Names = readonly unknown[] | undefined;

/** The definition with each of the lists that name requests replaced; other entries of them stay as written. */
function withMenus(source: Source, change: (names: readonly unknown[]) => readonly unknown[]): Source {
  return menus.reduce((result, path) => {
    const { actions, card, kanban, gallery } = result.list ?? {};
    const names = { actions, card: card?.menu, kanban: kanban?.menu, gallery: gallery?.menu }[path[1]] as Names;
    return names === undefined ? result : setAtPath(result, path, change(names));
  }, source);
}

/**
 * The definition with a new request, which sets the first field that fits, and its name.
 *
 * @example addRequest(source, 'state').name; // 'request_1'
 */
export function addRequest(source: Source, field: string): { source: Source; name: string } {
  const requests = source.requests ?? {};
  let number = Object.keys(requests).length + 1;
  while (Object.hasOwn(requests, `request_${number}`)) number += 1;
  const name = `request_${number}`;
  const request: RequestSource = { label: 'New request', sets: [field] };
  return { source: setAtPath(source, ['requests', name], request), name };
}

/**
 * The definition with a request under another name, in its place among the others, and in the row actions, menus and the
 * board that name it.
 *
 * @example renameRequest(source, 'done', 'finish').requests; // { finish: … }
 */
export function renameRequest(source: Source, oldName: string, newName: string): Source {
  const requests = Object.entries(source.requests ?? {}).map(([name, request]) => [
    name === oldName ? newName : name,
    request,
  ]);
  const newSource = setAtPath(source, ['requests'], Object.fromEntries(requests));
  const renamedSource = withMenus(newSource, (names) => names.map((name) => (name === oldName ? newName : name)));
  return renamedSource.list?.kanban?.request === oldName
    ? setAtPath(renamedSource, ['list', 'kanban', 'request'], newName)
    : renamedSource;
}

/**
 * The definition without a request, and without the row actions and menu entries that make it. A board that makes it stays
 * as it is: what it makes instead has to be decided.
 *
 * @example removeRequest(source, 'done').requests; // undefined
 */
export function removeRequest(source: Source, name: string): Source {
  const newSource = setAtPath(source, ['requests', name], undefined);
  return withMenus(newSource, (names) => names.filter((entry) => entry !== name));
}

/**
 * The requests of a definition in another order.
 *
 * @example moveRequest(source, 1, 0); // the second one comes first
 */
export function moveRequest(source: Source, position: number, newPosition: number): Source {
  const entries = Object.entries(source.requests ?? {});
  const newOrder = entries.toSpliced(position, 1).toSpliced(newPosition, 0, itemAt(entries, position));
  return { ...source, requests: Object.fromEntries(newOrder) };
}

/**
 * A request that sets fixed values with one click, or that asks for them. The fields that it asks for stay the same.
 *
 * @example withFixedValues({ label: 'Done', sets: ['note'] }, true); // { label: 'Done', sets: {}, asks: ['note'] }
 */
export function withFixedValues(request: RequestSource, isFixed: boolean): RequestSource {
  const { sets, asks: askedFields, ...rest } = request;
  if (isFixed === (sets !== undefined && !Array.isArray(sets))) return request;
  if (!isFixed) return { ...rest, ...(askedFields && askedFields.length > 0 && { sets: askedFields }) };
  const fieldNames = Array.isArray(sets) ? sets : [];
  return { ...rest, sets: {}, ...(fieldNames.length > 0 && { asks: fieldNames }) };
}
