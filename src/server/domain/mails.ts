import { sql } from 'kysely';
import type { Queries, Transaction } from '../database/database';
import { HttpError } from '../errors/errors';
import type { Message } from '../mail/message';
import { wantMail } from '../mail/outbox';
import { renderMail } from '../mail/render';
import type { Compose } from '../mail/sender';
import type { Program } from '../program';
import { codeMailLimits, countAttempt } from '../session/attempts';
import { issueCode, type CodePurpose } from '../session/codes';
import { addressesOf, templateFor } from './mail-templates';
import { active, invited } from './user-status';

/** What mails are sent on: the identifiers of their templates. */
export type Occasion = keyof typeof occasions;

interface OccasionRule {
  /** The application's path that the mail's link leads to. */
  readonly path: string;
  /** What the mail's code is good for, if it carries one. */
  readonly code?: CodePurpose;
  /** The state that the reader must still be in when it is sent. */
  readonly status: number;
  /** Whoever wanted it has counted it among the mails with codes already. */
  readonly counted?: boolean;
}

const occasions = {
  forgot_password: { path: '/auth/reset-password', code: 'reset', status: active },
  account_setup: { path: '/auth/setup-account', code: 'setup', status: invited, counted: true },
  confirm_address: { path: '/auth/confirm-address', code: 'confirm', status: active },
  password_changed: { path: '/auth/forgot-password', status: active },
  ticket_answered: { path: '/', status: active },
  sign_in_blocked: { path: '/auth/forgot-password', status: active },
} as const satisfies Record<string, OccasionRule>;

interface Reader {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly status_id: number;
  readonly site_id: number | null;
  readonly company: string | null;
}

/** Whom a mail is for: a user, or whoever has an address. */
export type About = { readonly user_id: number; readonly path?: string } | { readonly email: string };

/** Wants a mail on an occasion; it is sent after the transaction's commit. `path` is of the screen that it is about. */
export function wantMailOn({ database }: Program, trx: Transaction, occasion: Occasion, about: About): Promise<void> {
  return wantMail(database, trx, { occasion, about });
}

/** Wants a mail that is written already, for trying a template out. */
export function wantReadyMail({ database }: Program, trx: Transaction, message: Message): Promise<void> {
  return wantMail(database, trx, { occasion: 'ready', about: { message } });
}

/**
 * How wanted mails are written: from the company's own template, else the installation's, as they are when the mail is
 * sent. Codes are made here, so that they are nowhere but in the mail. Null where nobody is to be told (any more).
 */
export function composeMails(program: Program): Compose {
  return async ({ occasion, about, attempts }) => {
    if (occasion === 'ready') return about.message as Message;
    const rule: OccasionRule | undefined = occasions[occasion as Occasion];
    if (!rule) throw new Error(`There is no occasion named ${occasion}.`);
    const { kysely } = program.database;
    const reader = await readerOf(kysely, about as unknown as About);
    if (reader?.status_id !== rule.status) return null;
    const template = await templateFor(kysely, occasion, reader.site_id);
    const code = rule.code && (await codeFor(program, reader, rule, attempts));
    if (code === null) return null;
    const rendered = renderMail(template, {
      name: reader.name,
      email: reader.email,
      company: reader.company ?? 'Assay',
      link: linkTo(program, (about.path as string | undefined) ?? rule.path, code),
      code: code ?? '',
    });
    const { replyTo, cc, bcc } = addressesOf(template);
    // Whoever reads a code can use it: such a mail goes to one mailbox alone.
    const copies = rule.code ? {} : { cc, bcc };
    return { to: { name: reader.name, address: reader.email }, ...(replyTo && { replyTo }), ...copies, ...rendered };
  };
}

/** An address within the application: always below PUBLIC_URL. */
export function linkTo({ settings }: Pick<Program, 'settings'>, path: string, code?: string): string {
  const link = new URL(settings.publicUrl);
  link.pathname = path;
  if (code !== undefined) link.searchParams.set('verification_code', code);
  return link.href;
}

/** A new code, stored before the mail leaves; null where the mailbox has had its share of such mails. */
async function codeFor(
  { database, log }: Program,
  reader: Reader,
  rule: OccasionRule,
  attempts: number,
): Promise<string | null> {
  try {
    return await database.transaction(async (trx) => {
      if (!rule.counted && attempts === 0) await countAttempt(trx, codeMailLimits(reader.email));
      return issueCode(trx, reader.id, rule.code!);
    });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    log.info(`A mail with a code to user ${reader.id} was left out: the mailbox has had five within the hour.`);
    return null;
  }
}

async function readerOf(queries: Queries, about: About): Promise<Reader | undefined> {
  const which = 'email' in about ? sql`lower(u.email) = ${about.email.toLowerCase()}` : sql`u.id = ${about.user_id}`;
  const { rows } = await sql<Reader>`
    select u.id, concat_ws(' ', u.first_name, u.last_name) as name, u.email, u.status_id, u.site_id, s.name as company
    from users u left join sites s on s.id = u.site_id where ${which} and u.deleted_at is null`.execute(queries);
  return rows[0];
}
