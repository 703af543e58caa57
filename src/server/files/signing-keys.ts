import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Transaction } from '../database/database';
import { onEngineTables } from '../database/engine-tables';
import { verifyFileUrl, signFileUrl } from './signed-url';

const channel = 'assay_files_key';
/** How long URLs signed with the previous key stay valid, in milliseconds: longer than any of them lasts. */
const previousKeyLifetime = 60 * 60_000;

/** Signs URLs of files and verifies them. */
export interface SigningKeys {
  sign(key: string): string;
  check(key: string, query: Readonly<Record<string, unknown>>): 'good' | 'expired' | 'foreign';
}

interface Keys {
  readonly current: Buffer;
  readonly former?: { readonly key: Buffer; readonly until: number };
}

/**
 * Opens the signing keys of a database, the same for every process: created once, reloaded whenever they are rotated.
 */
export async function openSigningKeys(database: Database): Promise<SigningKeys> {
  const newKey = randomBytes(32).toString('base64url');
  await onEngineTables(database.kysely)
    .insertInto('meta')
    .values({ key: 'files_key', value: JSON.stringify(newKey) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  const reload = async () => {
    keys = await loadKeys(database);
  };
  await database.listen(channel, () => void reload().catch(() => undefined));
  let keys = await loadKeys(database);
  return {
    sign: (key) => signFileUrl(keys.current, key, Date.now()),
    check(key, query) {
      const { current, former: formerKey } = keys;
      const now = Date.now();
      const answer = verifyFileUrl(current, key, query, now);
      return answer === 'foreign' && formerKey && formerKey.until > now
        ? verifyFileUrl(formerKey.key, key, query, now)
        : answer;
    },
  };
}

/** Creates a new key; URLs signed with the previous one stay valid until they expire. Files are not changed. */
export async function rotateSigningKey(database: Database, trx: Transaction): Promise<void> {
  const newKey = randomBytes(32).toString('base64url');
  await sql`insert into assay.meta (key, value)
    select 'files_key_former', jsonb_build_object('key', value, 'until', ${Date.now() + previousKeyLifetime}::bigint)
    from assay.meta where key = 'files_key' for update
    on conflict (key) do update set value = excluded.value`.execute(trx);
  await onEngineTables(trx)
    .updateTable('meta')
    .set({ value: JSON.stringify(newKey) })
    .where('key', '=', 'files_key')
    .execute();
  await database.notify(channel, '', trx);
}

async function loadKeys({ kysely }: Database): Promise<Keys> {
  const rows = await onEngineTables(kysely)
    .selectFrom('meta')
    .select(['key', 'value'])
    .where('key', 'in', ['files_key', 'files_key_former'])
    .execute();
  const storedKeys = Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  const formerKey = storedKeys.files_key_former as { key: string; until: number } | undefined;
  return {
    current: Buffer.from(storedKeys.files_key as string, 'base64url'),
    ...(formerKey && { former: { key: Buffer.from(formerKey.key, 'base64url'), until: formerKey.until } }),
  };
}
