import { sql } from 'kysely';
import type { Transaction } from '../../database/database';
import { onEngineTables } from '../../database/engine-tables';
import { maxIdle, maxSignInAge, tokenLifetime } from './sign-ins';
import { hashToken, newToken } from './tokens';

/**
 * How long the previous secret is still accepted after it was exchanged, in milliseconds: from a second tab that
 * renewed at the same moment, or because the response was lost.
 */
const previousSecretLifetime = 30_000;

/** The result of a renewal. */
export type Renewal =
  | {
      readonly kind: 'renewed';
      readonly signInId: number;
      readonly userId: number;
      readonly token: string;
      /** The next secret; undefined if the one exchanged a moment ago stays valid. */
      readonly renewal?: string;
    }
  /** The secret was used before: somebody else has it, so the sign-in was ended. */
  | { readonly kind: 'replayed'; readonly signInId: number; readonly userId: number }
  | { readonly kind: 'ended' };

interface TokenRow {
  readonly id: number;
  readonly user_id: number;
  /** The secret is the current one. */
  readonly current: boolean;
  /** It is the previous one, exchanged a moment ago. */
  readonly tolerated: boolean;
  readonly over: boolean;
}

/**
 * Exchanges the secret of a sign-in for its next token and secret; concurrent calls run one after the other. Uses the
 * database's clock, so that servers with different clocks agree. Does not count as use of the sign-in.
 */
export async function renewSignIn(trx: Transaction, secret: string, signInId: number): Promise<Renewal> {
  const [family = '', part = ''] = secret.split('.');
  const hash = hashToken(part);
  const { rows } = await sql<TokenRow>`
    select id, user_id, renewal_hash = ${hash} as current,
      coalesce(former_renewal_hash = ${hash}, false)
        and renewed_at > clock_timestamp() - make_interval(secs => ${previousSecretLifetime / 1000}) as tolerated,
      last_used_at <= clock_timestamp() - make_interval(secs => ${maxIdle / 1000})
        or created_at <= clock_timestamp() - make_interval(secs => ${maxSignInAge / 1000}) as over
    from assay.tokens where renewal_family = ${hashToken(family)} for update`.execute(trx);
  const [row] = rows;
  // The browser means another sign-in: somebody else signed in there in the meantime, whose token is not for this one.
  if (!row || row.over || row.id !== signInId) return { kind: 'ended' };
  if (!row.current && !row.tolerated) {
    await onEngineTables(trx).deleteFrom('tokens').where('id', '=', row.id).execute();
    return { kind: 'replayed', signInId: row.id, userId: row.user_id };
  }
  const token = newToken();
  // A concurrent exchange keeps the other one's new secret: the browser has one for all its tabs.
  const next = row.current ? newToken() : undefined;
  const exchange =
    next === undefined
      ? sql``
      : sql`, renewal_hash = ${hashToken(next)}, former_renewal_hash = renewal_hash, renewed_at = clock_timestamp()`;
  await sql`
    update assay.tokens set hash = ${hashToken(token)}, expires_at = ${new Date(Date.now() + tokenLifetime)},
      former_hash = hash, former_expires_at = expires_at ${exchange}
    where id = ${row.id}`.execute(trx);
  const renewal = next === undefined ? undefined : `${family}.${next}`;
  return { kind: 'renewed', signInId: row.id, userId: row.user_id, token, renewal };
}
