import type { RequestSource, Source } from '../definitions/source';
import { setAtPath } from './set-at-path';

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
  return menus.reduce((made, place) => {
    const { actions, card, kanban, gallery } = made.list ?? {};
    const names = { actions, card: card?.menu, kanban: kanban?.menu, gallery: gallery?.menu }[place[1]] as Names;
    return names === undefined ? made : setAtPath(made, place, change(names));
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
export function renameRequest(source: Source, from: string, to: string): Source {
  const requests = Object.entries(source.requests ?? {}).map(([name, request]) => [name === from ? to : name, request]);
  const made = setAtPath(source, ['requests'], Object.fromEntries(requests));
  const renamed = withMenus(made, (names) => names.map((name) => (name === from ? to : name)));
  return renamed.list?.kanban?.request === from ? setAtPath(renamed, ['list', 'kanban', 'request'], to) : renamed;
}

/**
 * The definition without a request, and without the row actions and menu entries that make it. A board that makes it stays
 * as it is: what it makes instead has to be decided.
 *
 * @example removeRequest(source, 'done').requests; // undefined
 */
export function removeRequest(source: Source, name: string): Source {
  const made = setAtPath(source, ['requests', name], undefined);
  return withMenus(made, (names) => names.filter((one) => one !== name));
}

/**
 * The requests of a definition in another order.
 *
 * @example moveRequest(source, 1, 0); // the second one comes first
 */
export function moveRequest(source: Source, from: number, to: number): Source {
  const entries = Object.entries(source.requests ?? {});
  const moved = entries.toSpliced(from, 1).toSpliced(to, 0, entries[from]!);
  return { ...source, requests: Object.fromEntries(moved) };
}

/**
 * A request that sets fixed values with one click, or that asks for them. The fields that it asks for stay the same.
 *
 * @example withFixedValues({ label: 'Done', sets: ['note'] }, true); // { label: 'Done', sets: {}, asks: ['note'] }
 */
export function withFixedValues(request: RequestSource, fixed: boolean): RequestSource {
  const { sets, asks, ...others } = request;
  if (fixed === (sets !== undefined && !Array.isArray(sets))) return request;
  if (!fixed) return { ...others, ...(asks && asks.length > 0 && { sets: asks }) };
  const asked = Array.isArray(sets) ? sets : [];
  return { ...others, sets: {}, ...(asked.length > 0 && { asks: asked }) };
}
