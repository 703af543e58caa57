import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Account } from '../users/accounts';
import type { Queries, Transaction } from '../../database/database';
import { onEngineTables } from '../../database/engine-tables';
import { Invalid } from '../../errors/errors';
import type { Program } from '../../program';
import { issueChallenge, useChallenge } from './challenges';

/** A passkey as shown to its owner. */
export interface Passkey {
  readonly id: number;
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

interface StoredPasskey {
  readonly id: number;
  readonly user_id: number;
  readonly credential_id: string;
  readonly public_key: Buffer;
  readonly counter: number;
  readonly transports: string[];
}

/** The response of an authenticator; the library validates it. */
export type PasskeyResponse = Readonly<Record<string, unknown>>;

const maxPasskeys = 20;
/** The library takes a third of a second and 30 MB, and few installations use it every day. */
const loadLibrary = () => import('@simplewebauthn/server');
/** The columns of a passkey that its owner sees. */
const publicColumns = ['id', 'name', 'created_at', 'last_used_at'] as const;

/** The options for creating a passkey of an account in the browser. */
export async function registrationOptions({ settings, database, product }: Program, account: Account) {
  const storedPasskeys = await findStoredPasskeys(database.kysely, account.id);
  const name = [account.first_name, account.last_name].filter(Boolean).join(' ');
  if (storedPasskeys.length >= maxPasskeys)
    throw new Invalid({ name: `You can have at most ${maxPasskeys} passkeys: remove one first.` });
  const { generateRegistrationOptions } = await loadLibrary();
  return generateRegistrationOptions({
    rpName: product.title,
    rpID: relyingPartyId(settings),
    userName: account.email,
    userDisplayName: name,
    userID: new Uint8Array(Buffer.from(`assay user ${account.id}`)),
    challenge: challengeBytes(await issueChallenge(database.kysely, 'passkey-register', account.id)),
    excludeCredentials: storedPasskeys.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/** Saves a passkey that an authenticator created. Throws Invalid for an invalid response. */
export async function addPasskey(
  { settings }: Program,
  trx: Transaction,
  userId: number,
  name: string,
  answer: PasskeyResponse,
): Promise<Passkey> {
  const { verifyRegistrationResponse } = await loadLibrary();
  const verification = await verifyRegistrationResponse({
    response: answer as unknown as RegistrationResponseJSON,
    expectedChallenge: async (text) => (await useChallenge(trx, text, ['passkey-register']))?.user_id === userId,
    expectedOrigin: settings.publicUrl,
    expectedRPID: relyingPartyId(settings),
    requireUserVerification: false,
  }).catch(() => undefined);
  if (!verification?.verified) throw new Invalid({ passkey: 'This passkey could not be verified. Please try again.' });
  const { id, publicKey, counter, transports } = verification.registrationInfo.credential;
  const addedPasskey = await onEngineTables(trx)
    .insertInto('passkeys')
    .values({
      user_id: userId,
      credential_id: id,
      public_key: Buffer.from(publicKey),
      counter,
      transports: transports ?? [],
      name,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(publicColumns)
    .executeTakeFirst();
  if (!addedPasskey) throw new Invalid({ passkey: 'This passkey has already been added.' });
  return addedPasskey;
}

/** The options for using a passkey in the browser: one of an account, or any. */
export async function authenticationOptions({ settings, database }: Program, userId: number | null) {
  const storedPasskeys = userId === null ? [] : await findStoredPasskeys(database.kysely, userId);
  const { generateAuthenticationOptions } = await loadLibrary();
  return generateAuthenticationOptions({
    rpID: relyingPartyId(settings),
    challenge: challengeBytes(await issueChallenge(database.kysely, 'passkey-sign-in', userId)),
    allowCredentials: storedPasskeys.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    userVerification: userId === null ? 'required' : 'preferred',
  });
}

/**
 * Verifies the response of a passkey to a challenge for `userId`, or for any user. Returns the user; undefined if it is
 * invalid. A passkey alone, without a password, must have verified its owner (by finger, face or PIN).
 */
export async function usePasskey(
  { settings }: Program,
  trx: Transaction,
  userId: number | null,
  answer: PasskeyResponse,
): Promise<number | undefined> {
  const storedPasskey = await onEngineTables(trx)
    .selectFrom('passkeys')
    .select(['id', 'user_id', 'credential_id', 'public_key', 'counter', 'transports'])
    .where('credential_id', '=', String(answer.id))
    .forUpdate()
    .executeTakeFirst();
  if (!storedPasskey || (userId !== null && storedPasskey.user_id !== userId)) return undefined;
  const { credential_id, public_key, counter, transports } = storedPasskey;
  const { verifyAuthenticationResponse } = await loadLibrary();
  const verification = await verifyAuthenticationResponse({
    response: answer as unknown as AuthenticationResponseJSON,
    expectedChallenge: async (text) => {
      const challenge = await useChallenge(trx, text, ['passkey-sign-in']);
      return challenge !== undefined && challenge.user_id === userId;
    },
    expectedOrigin: settings.publicUrl,
    expectedRPID: relyingPartyId(settings),
    credential: { id: credential_id, publicKey: new Uint8Array(public_key), counter, transports },
    requireUserVerification: userId === null,
  }).catch(() => undefined);
  if (!verification?.verified) return undefined;
  const { newCounter } = verification.authenticationInfo;
  await onEngineTables(trx)
    .updateTable('passkeys')
    .set({ counter: newCounter, last_used_at: new Date() })
    .where('id', '=', storedPasskey.id)
    .execute();
  return storedPasskey.user_id;
}

/** A user's passkeys, oldest first. */
export async function passkeysOf(queries: Queries, userId: number): Promise<Passkey[]> {
  return onEngineTables(queries)
    .selectFrom('passkeys')
    .select(publicColumns)
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}

/** Renames one of a user's passkeys. Returns it; undefined if there is none with this id. */
export async function renamePasskey(trx: Transaction, userId: number, id: number, name: string) {
  return onEngineTables(trx)
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(publicColumns)
    .executeTakeFirst();
}

/** Deletes one of a user's passkeys, or all. Returns the deleted ones. */
export async function deletePasskeys(trx: Transaction, userId: number, id?: number): Promise<Passkey[]> {
  const deletion = onEngineTables(trx).deleteFrom('passkeys').where('user_id', '=', userId);
  return (id === undefined ? deletion : deletion.where('id', '=', id)).returning(publicColumns).execute();
}

async function findStoredPasskeys(
  queries: Queries,
  userId: number,
): Promise<Pick<StoredPasskey, 'credential_id' | 'transports'>[]> {
  return onEngineTables(queries)
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}

/** Browsers store passkeys by host name. */
function relyingPartyId({ publicUrl }: Program['settings']): string {
  return new URL(publicUrl).hostname;
}

/** The library encodes bytes as base64url, which the challenge already is: it comes back as the same text. */
function challengeBytes(challenge: string) {
  return new Uint8Array(Buffer.from(challenge, 'base64url'));
}
