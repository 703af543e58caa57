import { sql } from 'kysely';
import { tilesProblem, visibleTiles, withHiddenTiles, type Tile } from '../../engine/pages/tiles';
import type { Hook, HookContext } from '../program';
import { oneRow } from '../database/one-row';

/** The most pages that somebody can have. */
const mostPages = 50;

const tilesOf = (value: unknown): readonly Tile[] => (Array.isArray(value) ? (value as readonly Tile[]) : []);

/**
 * beforeSave: a page shows what its author may list. Tiles that were there before stay, also those that this author does
 * not see.
 */
const guardPage: Hook = async (context) => {
  const { previousRow, values, actor, fail } = context;
  const registry = context.program.definitions.registry();
  const storedTiles = tilesOf(previousRow?.tiles);
  const givenTiles = values.tiles ?? [];
  const tiles = Array.isArray(givenTiles) ? withHiddenTiles(givenTiles as readonly Tile[], storedTiles) : givenTiles;
  // Whether a page is wide is no matter of who sees the tile.
  const unchangedTiles = storedTiles.flatMap(({ wide: _, ...tile }) => [
    tile,
    { ...tile, wide: true },
    { ...tile, wide: false },
  ]);
  const problem = tilesProblem(tiles, unchangedTiles, registry, actor);
  if (problem !== undefined) fail('tiles', problem);
  if (!previousRow) await assertFewPages(context);
  return { tiles, ...(values.audience !== 'role' && { role_id: null }) };
};

/** Two that are saved at once are counted one after the other. */
async function assertFewPages({ trx, actor, fail }: HookContext): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`pages ${actor.id}`}, 0))`.execute(trx);
  const row = oneRow(
    await sql<{ count: number }>`select count(*)::integer as count from public.pages
    where created_by = ${actor.id}`.execute(trx),
  );
  if (row.count >= mostPages)
    fail('name', `You have ${mostPages} pages, which is the most. Delete one that you no longer need.`);
}

/** afterRead: of tiles of modules that the reader may not list, nothing but that they are there. */
const hideTiles: Hook = async ({ program, actor, records }) => {
  const registry = program.definitions.registry();
  for (const record of records)
    if (Array.isArray(record.tiles)) record.tiles = visibleTiles(tilesOf(record.tiles), registry, actor);
  return Promise.resolve();
};

/** The hooks that the definition of pages names. */
export const pageHooks = { guardPage, hideTiles };
