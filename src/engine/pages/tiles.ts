import type { Actor } from '../access/actor';
import { grantedFields, isGranted } from '../access/access-decision';
import { ConditionError, parseCondition } from '../conditions/grammar';
import { comparedFields } from '../conditions/variables-in';
import type { Condition, Definition, ResourceRecord } from '../definitions/definition';
import type { Registry } from '../registry/registry';
import { chartsFor } from '../lists/charts';
import { readableColumns } from '../lists/columns';
import { isEqualJson } from '../values/equal-values';
import { fieldOf } from '../definitions/accessors';
import { itemAt } from '../values/lookups';

/** The kinds of tiles: records, a chart of a definition, how many records there are, or where one was mentioned. */
const tileKinds = ['list', 'chart', 'number', 'mentions'] as const;

/** A part of a page that somebody put together. */
export interface Tile {
  /** Unique on the page. */
  readonly id: string;
  /** `hidden`: of a module that the reader may not list; the server says nothing else of it. */
  readonly kind: (typeof tileKinds)[number] | 'hidden';
  readonly title?: string;
  /** As wide as two. */
  readonly wide?: boolean;
  readonly module?: string;
  /** list, number: the id of a saved view, whose filters and order it has. */
  readonly view?: number;
  /** list, number: only these records. */
  readonly where?: Condition;
  /** list: fields; default: the first of the list's own. */
  readonly columns?: readonly string[];
  /** list: a field, with `-` descending. */
  readonly sort?: string;
  /** list, mentions: how many rows; default: 8. */
  readonly limit?: number;
  /** chart: the name of one of the definition's charts. */
  readonly chart?: string;
}

/** How many rows a tile shows unless it says otherwise. */
export const usualRows = 8;

/** The most that a page keeps. */
const limits = { tiles: 24, columns: 6, rows: 20, characters: 48_000 } as const;

const tileKeys: Readonly<Record<Tile['kind'], readonly string[]>> = {
  list: ['module', 'view', 'where', 'columns', 'sort', 'limit'],
  chart: ['module', 'chart'],
  number: ['module', 'view', 'where'],
  mentions: ['limit'],
  hidden: [],
};

/**
 * Why tiles cannot be stored by this actor; undefined if they can. Those that were stored before are not examined again:
 * their module may have changed since, or be one that the actor may not list. A resource that the actor may not list or
 * read reads like one that does not exist.
 *
 * @example tilesProblem([{ id: 'a', kind: 'list', module: 'films' }], [], registry, actor); // undefined
 */
export function tilesProblem(
  tiles: unknown,
  storedTiles: readonly Tile[],
  registry: Registry,
  actor: Actor,
): string | undefined {
  if (!Array.isArray(tiles)) return 'Tiles must be a list of objects.';
  if (tiles.length > limits.tiles) return `A page has at most ${limits.tiles} tiles.`;
  if (JSON.stringify(tiles).length > limits.characters)
    return `Tiles are too long: at most ${limits.characters} characters.`;
  const tileIds = new Set<unknown>();
  for (const tile of tiles as readonly unknown[]) {
    if (!isObject(tile)) return 'Each tile must be an object with an id and a kind.';
    if (typeof tile.id !== 'string' || !/^[a-z0-9-]{1,40}$/.test(tile.id))
      return 'The id of a tile must be 1 to 40 lower-case letters, digits and hyphens.';
    if (tileIds.has(tile.id)) return `The tile ${short(tile.id)} is there twice.`;
    tileIds.add(tile.id);
    if (storedTiles.some((storedTile) => isEqualJson(storedTile, tile))) continue;
    const problem = tileProblem(tile, registry, actor);
    if (problem !== undefined) return `Tile ${short(tile.id)}: ${problem}`;
  }
  return undefined;
}

function tileProblem(tile: ResourceRecord, registry: Registry, actor: Actor): string | undefined {
  const kind = tileKinds.find((candidate) => candidate === tile.kind);
  if (kind === undefined) return `its kind must be one of ${tileKinds.join(', ')}.`;
  const keys = ['id', 'kind', 'title', 'wide', ...tileKeys[kind]];
  const unknown = Object.keys(tile).find((key) => !keys.includes(key));
  if (unknown !== undefined) return `a tile of kind ${kind} has no ${short(unknown)}.`;
  const { title, wide: isWide, limit } = tile;
  if (title !== undefined && (typeof title !== 'string' || title.length > 60))
    return 'its title must be a text of at most 60 characters.';
  if (isWide !== undefined && typeof isWide !== 'boolean') return 'wide must be true or false.';
  if (limit !== undefined && !(Number.isInteger(limit) && (limit as number) >= 1 && (limit as number) <= limits.rows))
    return `limit must be 1 to ${limits.rows} rows.`;
  return kind === 'mentions' ? undefined : moduleProblem(tile, registry, actor);
}

function moduleProblem(tile: ResourceRecord, registry: Registry, actor: Actor): string | undefined {
  const definition = typeof tile.module === 'string' ? registry.get(tile.module) : undefined;
  if (!definition || !isGranted(actor, definition.name, 'list'))
    return `you have no list named ${short(String(tile.module))}.`;
  if (tile.kind === 'chart')
    return chartsFor(definition, actor).some(({ name }) => name === tile.chart)
      ? undefined
      : noSuch('chart', tile.chart, definition);
  const { view, sort } = tile;
  if (view !== undefined && !(Number.isInteger(view) && (view as number) > 0))
    return 'view must be the id of a saved view.';
  const readable = grantedFields(actor, definition, 'list');
  if (sort !== undefined) {
    const field = String(sort).replace(/^-/, '');
    const isSortable = Object.hasOwn(definition.fields, field) && fieldOf(definition, field).sortable;
    if (typeof sort !== 'string' || !isSortable || !readable.has(field)) return noSuch('order by', sort, definition);
  }
  return columnsProblem(tile.columns, definition, actor) ?? whereProblem(tile.where, definition, readable);
}

function columnsProblem(columns: unknown, definition: Definition, actor: Actor): string | undefined {
  if (columns === undefined) return undefined;
  if (!Array.isArray(columns) || columns.length === 0 || columns.length > limits.columns)
    return `columns must be 1 to ${limits.columns} columns of the list.`;
  if (new Set(columns).size < columns.length) return 'columns has one twice.';
  const knownNames = readableColumns(definition, actor).map(({ field }) => field);
  const unknownColumn = (columns as readonly unknown[]).find((name) => !knownNames.includes(String(name)));
  return unknownColumn === undefined ? undefined : noSuch('column', unknownColumn, definition);
}

function whereProblem(condition: unknown, definition: Definition, readable: ReadonlySet<string>): string | undefined {
  if (condition === undefined) return undefined;
  if (!isObject(condition)) return 'where must be a condition, such as {"name":"Ada"}.';
  try {
    parseCondition(condition as Condition);
  } catch (error) {
    if (error instanceof ConditionError) return `where${error.path}: ${error.message}`;
    throw error;
  }
  const unknownField = comparedFields(condition as Condition).find(
    (name) => !Object.hasOwn(definition.fields, name) || !readable.has(name),
  );
  return unknownField === undefined ? undefined : noSuch('field', unknownField, definition);
}

/**
 * The tiles as a reader gets them: of a module that they may not list nothing but that there is one.
 *
 * @example visibleTiles(tiles, registry, actor); // [{ id: 'a', kind: 'hidden' }]
 */
export function visibleTiles(tiles: readonly Tile[], registry: Registry, actor: Actor): Tile[] {
  return tiles.map((tile) => {
    const { id, kind, module, wide: isWide } = tile;
    if (kind === 'mentions') return tile;
    const isListed = module !== undefined && registry.get(module) !== undefined && isGranted(actor, module, 'list');
    return isListed ? tile : { id, kind: 'hidden', ...(isWide && { wide: isWide }) };
  });
}

/**
 * The tiles to store: those that their author does not see are as they were, in their new place.
 *
 * @example withHiddenTiles([{ id: 'a', kind: 'hidden' }], stored); // the stored tile a
 */
export function withHiddenTiles(sentTiles: readonly Tile[], storedTiles: readonly Tile[]): Tile[] {
  return sentTiles.map((tile) => {
    const storedTile =
      isObject(tile) && tile.kind === 'hidden' ? storedTiles.find(({ id }) => id === tile.id) : undefined;
    if (!storedTile) return tile;
    const { wide: _, ...rest } = storedTile;
    return tile.wide ? { ...rest, wide: true } : rest;
  });
}

/**
 * The tiles with one moved to another place.
 *
 * @example moveTile(tiles, 'a', 2);
 */
export function moveTile(tiles: readonly Tile[], id: string, target: number): readonly Tile[] {
  const source = tiles.findIndex((tile) => tile.id === id);
  if (source < 0 || target < 0 || target >= tiles.length || target === source) return tiles;
  return tiles.filter((tile) => tile.id !== id).toSpliced(target, 0, itemAt(tiles, source));
}

/**
 * The tiles of now without a change of one tile: it was added, removed, moved or made wider. Every other change stays.
 * Undefined if the tile was changed again since, so that taking the change back would take back more.
 *
 * @example takeBack('b', [a, b], [a], [a, c]); // [a, b, c]
 */
export function takeBack(
  id: string,
  tilesBeforeChange: readonly Tile[],
  tilesAfterChange: readonly Tile[],
  now: readonly Tile[],
): readonly Tile[] | undefined {
  const ofId = (tiles: readonly Tile[]) => tiles.find((tile) => tile.id === id);
  const [oldTile, changedTile, currentTile] = [ofId(tilesBeforeChange), ofId(tilesAfterChange), ofId(now)];
  const indexIn = (tiles: readonly Tile[]) => tiles.findIndex((tile) => tile.id === id);
  const tilesAhead = tilesBeforeChange.slice(0, Math.max(indexIn(tilesBeforeChange), 0));
  const otherTiles = now.filter((tile) => tile.id !== id);
  // A tile that was added since may have its id.
  if (!changedTile)
    return oldTile && putBack(currentTile ? { ...oldTile, id: unusedId(now) } : oldTile, tilesAhead, now);
  if (!currentTile || !isEqualJson(currentTile, changedTile)) return undefined;
  if (!oldTile) return otherTiles;
  if (indexIn(tilesBeforeChange) === indexIn(tilesAfterChange))
    return now.map((tile) => (tile.id === id ? oldTile : tile));
  const isSamePlace = isEqualJson(tilesBefore(id, tilesAfterChange, now), tilesBefore(id, now, tilesAfterChange));
  return isSamePlace ? putBack(oldTile, tilesAhead, otherTiles) : undefined;
}

/** Which of the tiles that are also on another page come before one, in any order. */
function tilesBefore(id: string, tiles: readonly Tile[], otherTiles: readonly Tile[]): string[] {
  const index = tiles.findIndex((tile) => tile.id === id);
  const ids = tiles.slice(0, index).map((tile) => tile.id);
  return ids.filter((tileId) => otherTiles.some((tile) => tile.id === tileId)).sort();
}

/** Behind the nearest of the tiles that were ahead of it. */
function putBack(tile: Tile, tilesAhead: readonly Tile[], now: readonly Tile[]): readonly Tile[] {
  const knownIds = new Set(now.map(({ id }) => id));
  const nearest = tilesAhead.findLast(({ id }) => knownIds.has(id));
  return now.toSpliced(now.findIndex(({ id }) => id === nearest?.id) + 1, 0, tile);
}

/**
 * An id that no tile has.
 *
 * @example unusedId([{ id: 'tile-1', kind: 'mentions' }]); // 'tile-2'
 */
export function unusedId(tiles: readonly Tile[]): string {
  let number = tiles.length + 1;
  while (tiles.some(({ id }) => id === `tile-${number}`)) number++;
  return `tile-${number}`;
}

const short = (name: string) => JSON.stringify(name.slice(0, 80));
const noSuch = (kind: string, name: unknown, { labels }: Definition) =>
  `${labels.many} have no ${kind} ${short(String(name))}.`;
const isObject = (value: unknown): value is ResourceRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
