import { sql } from 'kysely';
import type { Queries, Transaction } from '../../database/database';
import { HttpError } from '../../errors/errors';
import type { Message } from '../../mail/message';
import { queueMails, type QueuedMail } from '../../mail/queue-mail';
import { safeMailName } from '../../mail/safe-name';
import { renderMail } from '../../mail/render';
import type { ComposeMail } from '../../mail/sender';
import type { Product, Program } from '../../program';
import { codeMailLimits, countAttemptWithin, mailLimits, noticeMailLimits } from '../session/attempts';
import { issueCode } from '../session/codes';
import { confirmedFirst } from '../users/accounts';
import { hasConfirmedOwner, filterConfirmedAddresses, confirmedOwnerOf } from '../users/confirmed-addresses';
import { requiredProviderFor } from '../single-sign-on/required-provider';
import { appLink } from '../../mail/app-link';
import { mailOccasions, type MailOccasion, type OccasionRule } from './mail-occasions';
import { templateAddresses, findMailTemplate } from './mail-templates';
import { requireValue } from '../../../engine/values/lookups';

/** A mail to be written, with its recipient. */
interface PendingMail {
  readonly mailOccasion: MailOccasion;
  readonly rule: OccasionRule;
  readonly reader: MailReader;
  readonly recipientAddress: string;
  /** Whether the recipient has confirmed the address that it goes to. */
  readonly isConfirmed: boolean;
}

interface MailReader {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly status_id: number;
  readonly site_id: number | null;
  readonly company: string | null;
  readonly confirmed: boolean;
}

/**
 * The recipient of a mail: a user, or the owner of an address. `to` is the mailbox, if it differs from the user's;
 * `path` is the screen that the mail is about.
 */
export type MailRecipient =
  | { readonly user_id: number; readonly path?: string; readonly to?: string }
  | { readonly email: string };

/**
 * Queues a mail for an occasion; it is sent after the transaction commits. Throws for one that nobody registered.
 *
 * @example await queueOccasionMail(program, trx, 'task_late', { user_id: 7, path: '/tasks/3' });
 */
export async function queueOccasionMail(
  { queue, product }: Program,
  trx: Transaction,
  mailOccasion: MailOccasion,
  recipient: MailRecipient,
): Promise<void> {
  ruleOf(product, mailOccasion);
  await queueMails(queue, trx, [{ occasion: mailOccasion, about: recipient }]);
}

function ruleOf(product: Product, mailOccasion: string): OccasionRule {
  const rule = mailOccasions(product).get(mailOccasion);
  if (!rule) throw new Error(`Unknown mail occasion ${mailOccasion}: add it to mailOccasions of the product.`);
  return rule;
}

/** Queues a finished mail, for testing a template. */
export function queueFinishedMail({ queue }: Program, trx: Transaction, message: Message): Promise<void> {
  return queueMails(queue, trx, [{ occasion: 'ready', about: { message } }]);
}

/**
 * Writes queued mails with the data at the time of sending: from the installation's template, or from the company's own
 * for mails within the company. Codes are created here, so that they exist only in the mail. Null if there is no
 * recipient (any more), the company cannot send mail yet, or a limit is reached. Throws if the product has an occasion of the system.
 */
export function createMailComposer(program: Program): ComposeMail {
  mailOccasions(program.product);
  return async ({ occasion: mailOccasion, about: recipient, attempts }) => {
    if (mailOccasion === 'ready') return recipient.message as Message;
    const pendingMail = await preparePendingMail(program, mailOccasion, recipient as unknown as MailRecipient);
    if (!pendingMail || (attempts === 0 && !(await isWithinLimits(program, pendingMail)))) return null;
    return renderPendingMail(program, pendingMail, recipient, attempts);
  };
}

/** The recipient and the occasion: if the address already belongs to an account, that account is notified instead. */
async function preparePendingMail(
  program: Program,
  requestedOccasion: MailOccasion,
  recipient: MailRecipient,
): Promise<PendingMail | undefined> {
  const queries = program.database.kysely;
  const reader = await findReader(queries, recipient);
  const rule = ruleOf(program.product, requestedOccasion);
  if (reader?.status_id !== rule.status) return undefined;
  const mailOccasion = (await isByProvider(program, requestedOccasion, reader))
    ? 'account_setup_by_provider'
    : requestedOccasion;
  if (requestedOccasion === 'forgot_password' && (await requiredProviderFor(program, reader))) return undefined;
  const address = ('to' in recipient ? recipient.to : undefined) ?? reader.email;
  const holder = rule.claims ? await confirmedOwnerOf(queries, address, reader.id) : undefined;
  if (holder !== undefined) return preparePendingMail(program, 'address_in_use', { user_id: holder });
  const isConfirmed = reader.confirmed && address === reader.email;
  if (rule.notice && !isConfirmed) return undefined;
  if (
    !rule.always &&
    !reader.confirmed &&
    reader.site_id !== null &&
    !(await hasConfirmedOwner(queries, reader.site_id))
  )
    return undefined;
  return { mailOccasion, rule: ruleOf(program.product, mailOccasion), reader, recipientAddress: address, isConfirmed };
}

/** Whether somebody is invited who will have no password. */
async function isByProvider(program: Program, requestedOccasion: MailOccasion, reader: MailReader): Promise<boolean> {
  return requestedOccasion === 'account_setup' && (await requiredProviderFor(program, reader)) !== undefined;
}

async function isWithinLimits({ database, log }: Program, pendingMail: PendingMail): Promise<boolean> {
  const { mailOccasion, rule, reader, recipientAddress: address, isConfirmed } = pendingMail;
  const limits = rule.notice
    ? noticeMailLimits(address)
    : mailLimits({
        occasion: mailOccasion,
        to: address,
        company: reader.site_id,
        confirmed: isConfirmed,
        hourly: rule.hourly ?? 5,
      });
  try {
    await database.transaction((trx) => countAttemptWithin(trx, limits));
    return true;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    log.info(
      `A mail (${mailOccasion}) to user ${reader.id} was not sent: its mailbox or company has reached its limit.`,
    );
    return false;
  }
}

async function renderPendingMail(
  program: Program,
  { mailOccasion, rule, reader, recipientAddress, isConfirmed }: PendingMail,
  details: QueuedMail['about'],
  attempts: number,
): Promise<Message | null> {
  const { kysely } = program.database;
  const template = await findMailTemplate(kysely, mailOccasion, rule.own && isConfirmed ? reader.site_id : null);
  const code = rule.code && (await createCode(program, reader, recipientAddress, rule, attempts));
  if (code === null) return null;
  const extraValues = rule.fill ? await rule.fill(program, reader.id, details) : {};
  if (extraValues === null) return null;
  const name = safeMailName(reader.name);
  const renderedMail = renderMail(template, {
    name,
    email: recipientAddress,
    company: safeMailName(reader.company ?? program.product.title),
    link: appLink(program, (details.path as string | undefined) ?? rule.path, code),
    code: code ?? '',
    ...extraValues,
  });
  const { replyTo, cc, bcc } = templateAddresses(template);
  // Anyone who reads a code can use it, so a mail with a code gets no copies.
  const confirmedAddresses = rule.code
    ? new Set<string>()
    : await filterConfirmedAddresses(kysely, [...cc, ...bcc], reader.site_id);
  const copies = (list: readonly string[]) => list.filter((address) => confirmedAddresses.has(address.toLowerCase()));
  return {
    to: { name, address: recipientAddress },
    ...(replyTo && { replyTo }),
    cc: copies(cc),
    bcc: copies(bcc),
    ...renderedMail,
  };
}

/** A new code, stored before the mail is sent; null if the mailbox has reached its limit. */
async function createCode(
  { database, log }: Program,
  reader: MailReader,
  address: string,
  rule: OccasionRule,
  attempts: number,
): Promise<string | null> {
  try {
    return await database.transaction(async (trx) => {
      if (!rule.counted && attempts === 0) await countAttemptWithin(trx, codeMailLimits(address));
      return issueCode(trx, reader.id, requireValue(rule.code, 'the kind of code that the mail has'));
    });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    log.info(
      `A mail with a code to user ${reader.id} was not sent: the mailbox has already received five within the hour.`,
    );
    return null;
  }
}

/**
 * Among several users with one address: the one that confirmed it, otherwise one who did not register themselves, the
 * newest first.
 */
async function findReader(queries: Queries, recipient: MailRecipient): Promise<MailReader | undefined> {
  const userCondition =
    'email' in recipient
      ? sql`lower(users.email) = ${recipient.email.toLowerCase()}`
      : sql`users.id = ${recipient.user_id}`;
  const { rows } = await sql<MailReader>`
    select users.id, concat_ws(' ', users.first_name, users.last_name) as name, users.email, users.status_id,
      users.site_id, s.name as company, not ${confirmedFirst} as confirmed
    from users left join sites s on s.id = users.site_id where ${userCondition} and users.deleted_at is null
    order by ${confirmedFirst}, (users.created_by is not distinct from users.id), users.id desc limit 1`.execute(
    queries,
  );
  return rows[0];
}
