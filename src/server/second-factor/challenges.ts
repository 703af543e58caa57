import { sql } from 'kysely';
import type { Queries } from '../database/database';
import { hashToken, newToken } from '../session/token-text';

const minute = 60_000;

/** What a challenge is good for, and for how many milliseconds. */
const lifetimes = {
  /** The second step of a sign-in whose first was good. */
  verify: 10 * minute,
  /** The same where a second factor is required, and has to be set up first. */
  setup: 30 * minute,
  'passkey-sign-in': 5 * minute,
  'passkey-register': 5 * minute,
} as const;
export type ChallengeKind = keyof typeof lifetimes;

/** Wrong answers that end a second step. */
export const triesOfStep = 5;

/** A challenge that has not ended. */
export interface Challenge {
  readonly kind: ChallengeKind;
  readonly user_id: number | null;
  readonly tries: number;
  /** How the sign-in began whose second step this is. */
  readonly first_method: string | null;
}

/** Makes a challenge and answers its text, 256 random bits, of which a hash is kept. */
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

/** Seconds for which a challenge is good. */
export function secondsOf(kind: ChallengeKind): number {
  return lifetimes[kind] / 1000;
}

/** The challenge of a text; undefined when there is none, or it has ended or is for something else. */
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

/** Uses a challenge up, once whoever asks at the same moment. Answers it; undefined as `findChallenge`. */
export async function takeChallenge(
  queries: Queries,
  text: string,
  kinds: readonly ChallengeKind[],
): Promise<Challenge | undefined> {
  const { rows } = await sql<Challenge>`delete from assay.challenges
    where hash = ${hashToken(text)} and kind = any(${kinds as string[]}) and expires_at > ${new Date()}
    returning kind, user_id, tries, first_method`.execute(queries);
  return rows[0];
}

/** Counts a try before it is made. Answers how many are left after it; undefined where none was. */
export async function countTry(queries: Queries, text: string): Promise<number | undefined> {
  const { rows } = await sql<{ tries: number }>`update assay.challenges set tries = tries + 1
    where hash = ${hashToken(text)} and tries < ${triesOfStep} and expires_at > ${new Date()}
    returning tries`.execute(queries);
  return rows[0] && triesOfStep - rows[0].tries;
}
