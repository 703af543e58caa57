import type { Queries } from '../database/database';

const KEY = 'definitions';

/** File name → its last active text. Stored in the database, so that it survives restarts. */
export type LastGoodTexts = ReadonlyMap<string, string>;

/** The texts that were active when the program last ran; empty at the first start. */
export async function loadLastGoodTexts(queries: Queries): Promise<LastGoodTexts> {
  const found = await queries
    .withSchema('assay')
    .selectFrom('meta')
    .select('value')
    .where('key', '=', KEY)
    .executeTakeFirst();
  return new Map(Object.entries((found?.value ?? {}) as Record<string, string>));
}

/** Saves the texts that are active now. */
export async function saveLastGoodTexts(queries: Queries, texts: LastGoodTexts): Promise<void> {
  const value = JSON.stringify(Object.fromEntries(texts));
  await queries
    .withSchema('assay')
    .insertInto('meta')
    .values({ key: KEY, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
