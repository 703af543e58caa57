import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { sql } from 'kysely';
import type { Database, Transaction } from '../../database/database';
import { TooManyRequests } from '../../errors/errors';
import { onEngineTables } from '../../database/engine-tables';

const MINUTE = 60_000;

/** The number of attempts allowed within a period, counted under a key. */
export interface AttemptLimit {
  readonly key: string;
  readonly times: number;
  /** Milliseconds. */
  readonly within: number;
  /** The message before the time to wait. */
  readonly message?: string;
}

/** A counted attempt, which can be taken back. */
export interface Attempt {
  takeBack(): Promise<void>;
}

/** The limits of failed sign-ins: of an account from one address, and of the address. */
export function signInLimits(email: string, address: string): AttemptLimit[] {
  const account = mailboxKey(email);
  const network = networkKey(address);
  return [
    { key: `sign-in ${network} ${account}`, times: 10, within: 15 * MINUTE },
    { key: `sign-in ${network}`, times: 100, within: 15 * MINUTE },
  ];
}

/** The limits of registrations: from one address, and with one mailbox, whether it has an account or not. */
export function registrationLimits(email: string, address: string): AttemptLimit[] {
  return [
    { key: `registration ${networkKey(address)}`, times: 20, within: 60 * MINUTE },
    { key: `registration of ${mailboxKey(email)}`, times: 10, within: 24 * 60 * MINUTE },
  ];
}

/** The limit of attempts to set a password with a code, from one address. */
export function resetLimits(address: string): AttemptLimit[] {
  return [{ key: `reset ${networkKey(address)}`, times: 30, within: 60 * MINUTE }];
}

/**
 * The limits of requesting a code: from one address, and for one mailbox, whether it has an account or not, so that
 * errors do not reveal that.
 */
export function codeRequestLimits(email: string, address: string): AttemptLimit[] {
  return [
    { key: `asking ${networkKey(address)}`, times: 30, within: 60 * MINUTE },
    ...codeRequestLimitsOfMailbox(email),
  ];
}

/** The limit of requesting a code for a mailbox, from anywhere. */
export function codeRequestLimitsOfMailbox(email: string): AttemptLimit[] {
  return [{ key: `asking for ${mailboxKey(email)}`, times: 5, within: 60 * MINUTE }];
}

/** The limit of mails with codes to one mailbox, for any purpose. */
export function codeMailLimits(email: string): AttemptLimit[] {
  const refusal = 'Several emails have already been sent to this address.';
  return [{ key: `code mail ${mailboxKey(email)}`, times: 5, within: 60 * MINUTE, message: refusal }];
}

/** The limit of invitations from a company. */
export function invitationLimits(company: number): AttemptLimit[] {
  const refusal = 'A company may send 200 invitations a day.';
  return [{ key: `invitation ${company}`, times: 200, within: 24 * 60 * MINUTE, message: refusal }];
}

/** The limit of changing email addresses: of one user, and within a company. */
export function addressChangeLimits(user: number, company: number | null): AttemptLimit[] {
  const message = 'Too many changes of email addresses.';
  const ofCompany = { key: `address change of ${company}`, times: 50, within: 24 * 60 * MINUTE, message };
  const ofUser = { key: `address change ${user}`, times: 5, within: 60 * MINUTE, message };
  return company === null ? [ofUser] : [ofUser, ofCompany];
}

/** The limit of links to reset a password that a company sends to its users. */
export function resetLinkLimits(company: number): AttemptLimit[] {
  const refusal = 'A company may send 200 of these emails a day.';
  return [{ key: `reset link of ${company}`, times: 200, within: 24 * 60 * MINUTE, message: refusal }];
}

/** The limit of test mails of templates that users send to themselves. */
export function testMailLimits(user: number): AttemptLimit[] {
  return [{ key: `test mail ${user}`, times: 20, within: 60 * MINUTE }];
}

/** The limit of attempts to prove an identity. */
export function proofLimits(user: number): AttemptLimit[] {
  return [{ key: `proof ${user}`, times: 10, within: 15 * MINUTE }];
}

/**
 * The limits of mail, counted when it is composed: by occasion and mailbox, by mailbox (stricter if it is unconfirmed),
 * and by company.
 */
export function mailLimits(mail: {
  readonly occasion: string;
  readonly to: string;
  readonly company: number | null;
  readonly confirmed: boolean;
  readonly hourly: number;
}): AttemptLimit[] {
  const mailbox = mailboxKey(mail.to);
  const day = 24 * 60 * MINUTE;
  return [
    { key: `mail ${mail.occasion} ${mailbox}`, times: mail.hourly, within: 60 * MINUTE },
    { key: `mail to ${mailbox}`, times: mail.confirmed ? 100 : 20, within: day },
    ...(mail.company === null ? [] : [{ key: `mail of ${mail.company}`, times: 1000, within: day }]),
  ];
}

/** Mails about notifications, which their reader wants: apart from the others, so that no code is held back by them. */
export function noticeMailLimits(recipient: string): AttemptLimit[] {
  const mailbox = mailboxKey(recipient);
  return [
    { key: `notice mail ${mailbox}`, times: 60, within: 60 * MINUTE },
    { key: `notice mails of a day ${mailbox}`, times: 300, within: 24 * 60 * MINUTE },
  ];
}

/** The key of a mailbox for counting: a hash of its address, case-insensitive. */
export function mailboxKey(email: string): string {
  return createHash('sha256').update(email.trim().toLowerCase()).digest('base64url');
}

/**
 * Takes back one registration or code request of a network: somebody who returns the code of a mail reads the mailbox
 * and is not guessing addresses. So a whole office behind one address is not blocked.
 */
export async function takeBackNetworkAttempt(
  trx: Transaction,
  attemptKind: 'registration' | 'asking',
  address: string,
): Promise<void> {
  await sql`delete from assay.attempts where ctid in (select ctid from assay.attempts
    where key = ${`${attemptKind} ${networkKey(address)}`} order by at limit 1 for update skip locked)`.execute(trx);
}

/**
 * Counts an attempt under every limit before it is made, so that concurrent attempts cannot exceed them. Throws
 * TooMany, with nothing counted, if one of the limits is reached.
 */
export async function countAttempt(database: Database, limits: readonly AttemptLimit[]): Promise<Attempt> {
  const now = new Date();
  const keys = limits.map((limit) => limit.key);
  await database.transaction((trx) => countAttemptWithin(trx, limits, now));
  await deleteOldAttempts(database, now);
  return {
    takeBack: async () => {
      await sql`delete from assay.attempts where ctid in (
        select distinct on (key) ctid from assay.attempts where at = ${now} and key = any(${keys}))`.execute(
        database.kysely,
      );
    },
  };
}

/** Same within a transaction: a rolled-back attempt is not counted. */
export async function countAttemptWithin(
  trx: Transaction,
  limits: readonly AttemptLimit[],
  now = new Date(),
): Promise<void> {
  const keys = limits.map((limit) => limit.key).sort();
  for (const key of keys) await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx);
  for (const limit of limits) await assertBelowLimit(trx, limit, now);
  const rows = keys.map((key) => ({ key, at: now }));
  await onEngineTables(trx).insertInto('attempts').values(rows).execute();
}

async function assertBelowLimit(trx: Transaction, limit: AttemptLimit, now: Date): Promise<void> {
  const windowStart = new Date(now.getTime() - limit.within).toISOString();
  const oldest = await onEngineTables(trx)
    .selectFrom('attempts')
    .select('at')
    .where('key', '=', limit.key)
    .where('at', '>', windowStart)
    .orderBy('at', 'desc')
    .offset(limit.times - 1)
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return;
  const first = Date.parse(oldest.at);
  const seconds = Math.max(1, Math.ceil((first + limit.within - now.getTime()) / 1000));
  throw new TooManyRequests(
    seconds,
    `${limit.message ?? 'Too many attempts.'} Please try again in ${formatWait(seconds)}.`,
  );
}

/** Formats a waiting time. */
export function formatWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes === 1) return 'a minute';
  return minutes > 120 ? `${Math.ceil(minutes / 60)} hours` : `${minutes} minutes`;
}

/** Deletes attempts older than all periods; rows that another process is deleting are skipped. */
async function deleteOldAttempts(database: Database, now: Date): Promise<void> {
  const oldestKept = new Date(now.getTime() - 24 * 60 * MINUTE);
  await sql`delete from assay.attempts where ctid in (
    select ctid from assay.attempts where at < ${oldestKept} limit 1000 for update skip locked)`.execute(
    database.kysely,
  );
}

/**
 * The key of an IP address for counting. IPv6 users have a whole network of addresses, so only the first 64 bits count.
 */
export function networkKey(address: string): string {
  // Some proxies forward an IPv4 address with its port.
  const bareAddress = address.replace(/%.*$/, '').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1');
  if (!ipaddr.isValid(bareAddress)) return bareAddress.slice(0, 64);
  const parsedAddress = ipaddr.process(bareAddress);
  if (parsedAddress.kind() === 'ipv4') return parsedAddress.toString();
  const groups = (parsedAddress as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${groups.join(':')}::/64`;
}
