import type { Queries } from '../../database/database';
import { onEngineTables } from '../../database/engine-tables';
import { hashToken, newToken } from '../session/tokens';

const minute = 60_000;

/** The purposes of challenges, and their lifetimes in milliseconds. */
const lifetimes = {
  /** The second step of a sign-in whose first step succeeded. */
  verify: 10 * minute,
  /** The same if a second factor is required and must be set up first. */
  setup: 30 * minute,
  'passkey-sign-in': 5 * minute,
  'passkey-register': 5 * minute,
} as const;
export type ChallengeKind = keyof typeof lifetimes;

/** Failed attempts that end a second step. */
const maxTries = 5;

/** A challenge that has not expired. */
export interface Challenge {
  readonly kind: ChallengeKind;
  readonly user_id: number | null;
  readonly tries: number;
  /** The method of the first step of the sign-in. */
  readonly first_method: string | null;
}

/** Creates a challenge and returns its text, 256 random bits; only a hash is stored. */
export async function issueChallenge(
  queries: Queries,
  kind: ChallengeKind,
  userId: number | null,
  first: string | null = null,
): Promise<string> {
  const text = newToken();
  const now = Date.now();
  await onEngineTables(queries)
    .with('old', (assay) => assay.deleteFrom('challenges').where('expires_at', '<', new Date(now).toISOString()))
    .insertInto('challenges')
    .values({
      hash: hashToken(text),
      kind,
      user_id: userId,
      first_method: first,
      expires_at: new Date(now + lifetimes[kind]),
    })
    .execute();
  return text;
}

/** The lifetime of a challenge in seconds. */
export function challengeSeconds(kind: ChallengeKind): number {
  return lifetimes[kind] / 1000;
}

/** Finds a challenge by its text; undefined if there is none, or it has expired or is for another purpose. */
export async function findChallenge(
  queries: Queries,
  text: string,
  kinds: readonly ChallengeKind[],
): Promise<Challenge | undefined> {
  const challenge = await onEngineTables(queries)
    .selectFrom('challenges')
    .select(['kind', 'user_id', 'tries', 'first_method'])
    .where('hash', '=', hashToken(text))
    .where('kind', 'in', kinds)
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst();
  return challenge as Challenge | undefined;
}

/** Uses up a challenge, only once among concurrent callers. Returns it; undefined as in `findChallenge`. */
export async function useChallenge(
  queries: Queries,
  text: string,
  kinds: readonly ChallengeKind[],
): Promise<Challenge | undefined> {
  const challenge = await onEngineTables(queries)
    .deleteFrom('challenges')
    .where('hash', '=', hashToken(text))
    .where('kind', 'in', kinds)
    .where('expires_at', '>', new Date().toISOString())
    .returning(['kind', 'user_id', 'tries', 'first_method'])
    .executeTakeFirst();
  return challenge as Challenge | undefined;
}

/** Counts an attempt before it is made. Returns how many are left after it; undefined if none was. */
export async function countTry(queries: Queries, text: string): Promise<number | undefined> {
  const countedTry = await onEngineTables(queries)
    .updateTable('challenges')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('hash', '=', hashToken(text))
    .where('tries', '<', maxTries)
    .where('expires_at', '>', new Date().toISOString())
    .returning('tries')
    .executeTakeFirst();
  return countedTry && maxTries - countedTry.tries;
}
