import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Program } from '../../program';
import { cookieName, isEncrypted } from '../session/renewal-cookie';
import { hashToken, newToken } from '../session/tokens';
import { SignOnFailed } from './failures';
import type { Provider } from './providers';
import { onEngineTables } from '../../database/engine-tables';

/** How long signing in at the provider may take, in milliseconds. */
const lifetime = 10 * 60_000;
/** How long used flows are remembered, in milliseconds. */
const usedFlowLifetime = 60 * 60_000;
/** The path of the cookie, which sign-ins and proofs of identity need. */
const path = '/api';

/** Prefix of the state of a proof of identity, by which the return page knows the purpose. */
const proofPrefix = 'proof.';

/** Why a user is sent to their provider. */
export type FlowPurpose = 'sign-in' | 'proof';

/** A sign-in in progress at a provider. Its secrets are derived from the cookie and not stored. */
export interface Flow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** When it started, in milliseconds since 1970. */
  readonly begunAt: number;
  readonly provider_id: number;
  readonly issuer: string;
  readonly sign_in_id: number | null;
}

/** Starts a flow through a provider, bound to this browser by a cookie that its tabs share. */
export async function beginFlow(
  { database, settings }: Program,
  request: FastifyRequest,
  reply: FastifyReply,
  provider: Provider,
  { purpose, signInId = null }: { purpose: FlowPurpose; signInId?: number | null },
): Promise<Omit<Flow, 'provider_id' | 'issuer' | 'sign_in_id'>> {
  const browser = readCookie(request, settings) ?? newToken();
  const state = purpose === 'proof' ? `${proofPrefix}${newToken()}` : newToken();
  const now = Date.now();
  await sql`with old as (delete from assay.sign_on_flows where ctid in
      (select ctid from assay.sign_on_flows where expires_at < ${new Date(now - usedFlowLifetime)} limit 100 for update skip locked))
    insert into assay.sign_on_flows (hash, browser, provider_id, issuer, purpose, sign_in_id, begun_at, expires_at)
    values (${hashToken(state)}, ${hashToken(browser)}, ${provider.id}, ${provider.issuer}, ${purpose}, ${signInId},
      ${new Date(now)}, ${new Date(now + lifetime)})`.execute(database.kysely);
  const secure = isEncrypted(request, settings);
  reply.setCookie(flowCookieName(request, settings), browser, {
    path,
    maxAge: lifetime / 1000,
    secure,
    httpOnly: true,
    sameSite: 'strict',
  });
  return { state, ...deriveSecrets(browser, state), begunAt: now };
}

/** Uses up a flow. Throws Failed if it is unknown, used, expired or of another browser. */
export async function useFlow(
  { database, settings }: Program,
  request: FastifyRequest,
  state: string,
  purpose: FlowPurpose,
): Promise<Flow> {
  const browser = readCookie(request, settings);
  const hash = hashToken(state);
  if (browser !== undefined) {
    const row = await onEngineTables(database.kysely)
      .updateTable('sign_on_flows')
      .set({ used_at: new Date() })
      .where('hash', '=', hash)
      .where('browser', '=', hashToken(browser))
      .where('purpose', '=', purpose)
      .where('used_at', 'is', null)
      .where('expires_at', '>', new Date().toISOString())
      .returning(['provider_id', 'issuer', 'sign_in_id', 'begun_at'])
      .executeTakeFirst();
    if (row) return { ...row, begunAt: Date.parse(row.begun_at), state, ...deriveSecrets(browser, state) };
  }
  const row = await onEngineTables(database.kysely)
    .selectFrom('sign_on_flows')
    .select((eb) => [
      eb('used_at', 'is not', null).as('used'),
      eb('browser', '=', hashToken(browser ?? '')).as('own'),
      eb('expires_at', '<=', new Date().toISOString()).as('late'),
    ])
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .executeTakeFirst();
  if (row?.used) throw new SignOnFailed('replayed');
  throw new SignOnFailed(row && !row.late && !row.own ? 'other_browser' : 'expired');
}

/** Derives the nonce and the PKCE verifier: access to the database is not enough to compute them. */
function deriveSecrets(browser: string, state: string): { nonce: string; verifier: string } {
  const part = (purpose: string) => createHmac('sha256', browser).update(`${purpose} ${state}`).digest('base64url');
  return { nonce: part('nonce'), verifier: part('verifier') };
}

function readCookie(request: FastifyRequest, settings: Program['settings']): string | undefined {
  const value = request.server.parseCookie(request.headers.cookie ?? '')[flowCookieName(request, settings)];
  return value && /^[\w-]{43}$/.test(value) ? value : undefined;
}

const flowCookieName = (request: FastifyRequest, settings: Program['settings']) =>
  cookieName(request, settings, 'assay_sign_on');
