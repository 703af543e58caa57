import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Program } from '../program';
import { cookieName, isEncrypted } from '../session/renewal-cookie';
import { hashToken, newToken } from '../session/token-text';
import { Failed } from './failures';
import type { Provider } from './providers';

/** Milliseconds that somebody may take at their provider. */
const lifetime = 10 * 60_000;
/** For as long it is known that a way back was taken already, in milliseconds. */
const remembered = 60 * 60_000;
/** Where the cookie is sent: to sign-ins and proofs alone. */
const path = '/api';

/** What the state of a proof begins with: the page that a browser comes back to knows by it what it is about. */
const proofMark = 'proof.';

/** What somebody is sent to their provider for. */
export type Purpose = 'sign-in' | 'proof';

/** A sign-in on its way through a provider. Secrets are made from the cookie, and are not kept. */
export interface Flow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** When it began, in milliseconds since 1970. */
  readonly begunAt: number;
  readonly provider_id: number;
  readonly issuer: string;
  readonly sign_in_id: number | null;
}

interface Row extends Omit<Flow, 'state' | 'nonce' | 'verifier' | 'begunAt'> {
  readonly begun_at: string;
}

/** Begins a way through a provider: bound to this browser by a cookie that several tabs share. */
export async function beginFlow(
  { database, settings }: Program,
  request: FastifyRequest,
  reply: FastifyReply,
  provider: Provider,
  { purpose, signInId = null }: { purpose: Purpose; signInId?: number | null },
): Promise<Omit<Flow, 'provider_id' | 'issuer' | 'sign_in_id'>> {
  const browser = readCookie(request, settings) ?? newToken();
  const state = purpose === 'proof' ? `${proofMark}${newToken()}` : newToken();
  const now = Date.now();
  await sql`with old as (delete from assay.sign_on_flows where ctid in
      (select ctid from assay.sign_on_flows where expires_at < ${new Date(now - remembered)} limit 100 for update skip locked))
    insert into assay.sign_on_flows (hash, browser, provider_id, issuer, purpose, sign_in_id, begun_at, expires_at)
    values (${hashToken(state)}, ${hashToken(browser)}, ${provider.id}, ${provider.issuer}, ${purpose}, ${signInId},
      ${new Date(now)}, ${new Date(now + lifetime)})`.execute(database.kysely);
  const secure = isEncrypted(request, settings);
  reply.setCookie(nameOf(request, settings), browser, {
    path,
    maxAge: lifetime / 1000,
    secure,
    httpOnly: true,
    sameSite: 'strict',
  });
  return { state, ...secretsOf(browser, state), begunAt: now };
}

/** Uses a way through a provider up. Throws Failed for one that is unknown, used, too old or of another browser. */
export async function takeFlow(
  { database, settings }: Program,
  request: FastifyRequest,
  state: string,
  purpose: Purpose,
): Promise<Flow> {
  const browser = readCookie(request, settings);
  const hash = hashToken(state);
  if (browser !== undefined) {
    const { rows } = await sql<Row>`update assay.sign_on_flows set used_at = ${new Date()}
      where hash = ${hash} and browser = ${hashToken(browser)} and purpose = ${purpose} and used_at is null
        and expires_at > ${new Date()}
      returning provider_id, issuer, sign_in_id::int as sign_in_id, begun_at`.execute(database.kysely);
    const [row] = rows;
    if (row) return { ...row, begunAt: Date.parse(row.begun_at), state, ...secretsOf(browser, state) };
  }
  const { rows } = await sql<{ used: boolean; own: boolean; late: boolean }>`select used_at is not null as used,
      browser = ${hashToken(browser ?? '')} as own, expires_at <= ${new Date()} as late
    from assay.sign_on_flows where hash = ${hash} and purpose = ${purpose}`.execute(database.kysely);
  const [row] = rows;
  if (row?.used) throw new Failed('replayed');
  throw new Failed(row && !row.late && !row.own ? 'other_browser' : 'expired');
}

/** The nonce and the verifier of PKCE: whoever reads the database cannot make them. */
function secretsOf(browser: string, state: string): { nonce: string; verifier: string } {
  const part = (what: string) => createHmac('sha256', browser).update(`${what} ${state}`).digest('base64url');
  return { nonce: part('nonce'), verifier: part('verifier') };
}

function readCookie(request: FastifyRequest, settings: Program['settings']): string | undefined {
  const value = request.server.parseCookie(request.headers.cookie ?? '')[nameOf(request, settings)];
  return value && /^[\w-]{43}$/.test(value) ? value : undefined;
}

const nameOf = (request: FastifyRequest, settings: Program['settings']) =>
  cookieName(request, settings, 'assay_sign_on');
