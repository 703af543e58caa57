import type { Queries } from '../database/database';

const KEY = 'definitions';

/** Name of a file → the text of it that was last in force. Kept in the database, so that it outlives the program. */
export type GoodTexts = ReadonlyMap<string, string>;

/** The texts that were in force when the program last ran; none at the first start. */
export async function readGoodTexts(queries: Queries): Promise<GoodTexts> {
  const found = await queries
    .withSchema('assay')
    .selectFrom('meta')
    .select('value')
    .where('key', '=', KEY)
    .executeTakeFirst();
  return new Map(Object.entries((found?.value ?? {}) as Record<string, string>));
}

/** Keeps the texts that are in force now. */
export async function keepGoodTexts(queries: Queries, texts: GoodTexts): Promise<void> {
  const value = JSON.stringify(Object.fromEntries(texts));
  await queries
    .withSchema('assay')
    .insertInto('meta')
    .values({ key: KEY, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
