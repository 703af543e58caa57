import type { Queries, Transaction } from '../../database/database';
import { onEngineTables } from '../../database/engine-tables';
import type { Program } from '../../program';
import { issueRecoveryCodes, recoveryCodesLeft } from './recovery-codes';
import { deletePasskeys } from './passkeys';
import { removeAuthenticator } from './totp';

/** Methods of the second step of a sign-in. */
export type Factor = 'totp' | 'passkey' | 'recovery_code';

/** The factors of a user. Recovery codes count only together with another factor. */
export async function factorsOf(queries: Queries, userId: number): Promise<Factor[]> {
  const { totp, passkey, recovery_code } = await onEngineTables(queries)
    .selectNoFrom(({ exists, selectFrom }) => {
      const [totps, passkeys, codes] = [
        selectFrom('authenticators').select('user_id').where('user_id', '=', userId).where('secret', 'is not', null),
        selectFrom('passkeys').select('user_id').where('user_id', '=', userId),
        selectFrom('recovery_codes').select('user_id').where('user_id', '=', userId).where('used_at', 'is', null),
      ];
      return [exists(totps).as('totp'), exists(passkeys).as('passkey'), exists(codes).as('recovery_code')];
    })
    .executeTakeFirstOrThrow();
  if (!totp && !passkey) return [];
  return [totp && 'totp', passkey && 'passkey', recovery_code && 'recovery_code'].filter(
    (method) => method !== false,
  ) as Factor[];
}

/** Creates recovery codes with a user's first factor; undefined if there already are some. */
export async function issueFirstRecoveryCodes(
  program: Program,
  trx: Transaction,
  userId: number,
): Promise<string[] | undefined> {
  return (await recoveryCodesLeft(trx, userId)) > 0 ? undefined : issueRecoveryCodes(program, trx, userId);
}

/** Deletes recovery codes and trusted devices once the last factor of a user is removed. */
export async function cleanUpFactors(trx: Transaction, userId: number): Promise<void> {
  if ((await factorsOf(trx, userId)).length > 0) return;
  const engineTables = onEngineTables(trx);
  await engineTables.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await engineTables.deleteFrom('trusted_devices').where('user_id', '=', userId).execute();
}

/** Removes all factors of a user. Returns whether there were any. */
export async function removeFactors(trx: Transaction, userId: number): Promise<boolean> {
  const hadAuthenticator = await removeAuthenticator(trx, userId);
  const keys = await deletePasskeys(trx, userId);
  await cleanUpFactors(trx, userId);
  return hadAuthenticator || keys.length > 0;
}
