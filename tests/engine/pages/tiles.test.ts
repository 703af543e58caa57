import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { moveTile, takeBack, unusedId, type Tile } from '../../../src/engine/pages/tiles';

const tile = (id: string, more: Partial<Tile> = {}): Tile => ({ id, kind: 'mentions', ...more });
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => tile(id)) as [Tile, Tile, Tile, Tile];

describe('taking back a change of one tile keeps later changes of others', () => {
  test.each<[string, string, Tile[], Tile[], Tile[], Tile[] | undefined]>([
    ['removed, another added since', 'b', [a, b, c], [a, c], [a, c, d], [a, b, c, d]],
    ['removed, its neighbours are gone', 'b', [a, b, c], [a, c], [d], [b, d]],
    [
      'removed, its id is taken',
      'b',
      [a, b],
      [a],
      [a, tile('b', { wide: true })],
      [a, tile('tile-3'), tile('b', { wide: true })],
    ],
    ['added, others moved since', 'c', [a, b], [a, b, c], [b, a, c], [b, a]],
    ['added, and removed since', 'c', [a], [a, c], [a], undefined],
    ['added, and made wider since', 'c', [a], [a, c], [a, { ...c, wide: true }], undefined],
    [
      'wider, others moved since',
      'a',
      [a, b, c],
      [{ ...a, wide: true }, b, c],
      [c, b, { ...a, wide: true }],
      [c, b, a],
    ],
    ['wider, and narrow again since', 'a', [a, b], [{ ...a, wide: true }, b], [a, b], undefined],
    ['moved, another removed since', 'a', [a, b, c], [b, c, a], [c, a], [a, c]],
    ['moved, and moved again since', 'a', [a, b, c], [b, a, c], [b, c, a], undefined],
    ['moved, another moved past it since', 'a', [a, b, c], [b, c, a], [b, a, c], undefined],
  ])('%s', (_title, id, before, after, now, expected) => {
    expect(takeBack(id, before, after, now)).toEqual(expected);
  });
});

const page = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 })
  .map((ids) => ids.map((id) => tile(id)));
type Change = { kind: 'add' | 'remove' | 'move' | 'wide'; at: number; to: number };
const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('add', 'remove', 'move', 'wide'),
  at: fc.nat({ max: 4 }),
  to: fc.nat({ max: 4 }),
});

/** The tiles with a change, and the id of its tile. */
function apply(tiles: readonly Tile[], { kind, at, to }: Change): [readonly Tile[], string] {
  const { id } = kind === 'add' ? { id: unusedId(tiles) } : (tiles[at % tiles.length] ?? { id: 'x' });
  if (kind === 'add') return [[...tiles, tile(id)], id];
  if (kind === 'remove') return [tiles.filter((one) => one.id !== id), id];
  if (kind === 'move') return [moveTile(tiles, id, to % tiles.length), id];
  return [tiles.map((one) => (one.id === id ? { ...one, wide: !one.wide } : one)), id];
}

test('undoing a change of a tile leaves the page unchanged', () => {
  fc.assert(
    fc.property(page, change, (before, one) => {
      const [after, id] = apply(before, one);
      expect(takeBack(id, before, after, after)?.map((each) => ({ ...each, wide: each.wide === true }))).toEqual(
        before.map((each) => ({ ...each, wide: false })),
      );
    }),
  );
});

test('undoing a change of a tile after other changes keeps, and does not reorder, the other tiles', () => {
  fc.assert(
    fc.property(page, change, fc.array(change, { maxLength: 5 }), (before, one, later) => {
      const [after, id] = apply(before, one);
      let now = after;
      for (const each of later) if (now.length > 0) [now] = apply(now, each);
      const result = takeBack(id, before, after, now);
      if (!result) return;
      const others = (tiles: readonly Tile[]) =>
        tiles.filter((each) => each.id !== id && now.some((was) => was.id === each.id));
      expect(others(result)).toEqual(others(now));
      expect(new Set(result.map((each) => each.id)).size).toBe(result.length);
    }),
  );
});
