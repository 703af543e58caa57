import { sql } from 'kysely';
import type { Queries } from '../../database/database';
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
  await sql`with old as (delete from assay.challenges where expires_at < ${new Date(now)})
    insert into assay.challenges (hash, kind, user_id, first_method, expires_at)
    values (${hashToken(text)}, ${kind}, ${userId}, ${first}, ${new Date(now + lifetimes[kind])})`.execute(queries);
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
  const { rows } = await sql<Challenge>`select kind, user_id, tries, first_method from assay.challenges
    where hash = ${hashToken(text)} and kind = any(${kinds as string[]}) and expires_at > ${new Date()}`.execute(
    queries,
  );
  return rows[0];
}

/** Uses up a challenge, only once among concurrent callers. Returns it; undefined as in `findChallenge`. */
export async function useChallenge(
  queries: Queries,
  text: string,
  kinds: readonly ChallengeKind[],
): Promise<Challenge | undefined> {
  const { rows } = await sql<Challenge>`delete from assay.challenges
    where hash = ${hashToken(text)} and kind = any(${kinds as string[]}) and expires_at > ${new Date()}
    returning kind, user_id, tries, first_method`.execute(queries);
  return rows[0];
}

/** Counts an attempt before it is made. Returns how many are left after it; undefined if none was. */
export async function countTry(queries: Queries, text: string): Promise<number | undefined> {
  const { rows } = await sql<{ tries: number }>`update assay.challenges set tries = tries + 1
    where hash = ${hashToken(text)} and tries < ${maxTries} and expires_at > ${new Date()}
    returning tries`.execute(queries);
  return rows[0] && maxTries - rows[0].tries;
}
