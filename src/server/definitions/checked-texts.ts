import { createHash } from 'node:crypto';
import type { DefinitionFile } from '../../engine/check/read-definitions';
import type { Queries } from '../database/database';
import { onEngineTables } from '../database/engine-tables';
import { buildOf } from './build';
import { fieldSchema } from './source-validator';

/** The check of texts: each by the schema, or all of them against each other as well. */
type Check = 'each' | 'together';

/**
 * The texts that passed their checks last, stored in the database: checking takes a quarter of a start, and gives the same
 * result for the same texts in the same build of the program.
 */
export interface CheckedTexts {
  /** Whether exactly these texts passed the check when it was last run. */
  has(check: Check, texts: readonly DefinitionFile[]): boolean;
  /** Notes that these texts passed the check. */
  add(check: Check, texts: readonly DefinitionFile[]): void;
  /** Saves what was noted. */
  save(queries: Queries): Promise<void>;
}

const KEY = 'checked_texts';

/**
 * Loads the texts that passed their checks last. `parts` is all that the checks depend on besides the texts and the code.
 * Where the sources of the program run as they are, nothing is remembered, since they may have changed.
 */
export async function loadCheckedTexts(queries: Queries, parts: unknown): Promise<CheckedTexts> {
  const build = buildOf();
  const row = await onEngineTables(queries)
    .selectFrom('meta')
    .select('value')
    .where('key', '=', KEY)
    .executeTakeFirst();
  let storedText = JSON.stringify(row?.value ?? {});
  const hashes = new Map(Object.entries((row?.value ?? {}) as Record<string, string>));
  const hashOf = (check: Check, texts: readonly DefinitionFile[]) => {
    const contents = texts.map(({ file, text, problems = [] }) => [file, text, problems]);
    return createHash('sha256')
      .update(JSON.stringify([build, check, parts, fieldSchema(), contents]))
      .digest('base64url');
  };
  return {
    has: (check, texts) => build !== undefined && hashes.get(check) === hashOf(check, texts),
    add(check, texts) {
      if (build !== undefined) hashes.set(check, hashOf(check, texts));
    },
    async save(queries) {
      const value = JSON.stringify(Object.fromEntries(hashes));
      if (value === storedText) return;
      storedText = value;
      await onEngineTables(queries)
        .insertInto('meta')
        .values({ key: KEY, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute();
    },
  };
}
