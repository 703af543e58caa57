import type { QueuedMail } from '../../mail/queue-mail';
import type { MailValues } from '../../mail/render';
import type { Product, Program } from '../../program';
import { noticeMailValues } from './notice-mails';
import { safeMailName } from '../../mail/safe-name';
import type { CodePurpose } from '../session/codes';
import { requiredProviderFor } from '../single-sign-on/required-provider';
import { findAccountById } from '../users/accounts';
import { activeStatus, invitedStatus } from '../users/user-status';

/** The occasions of mails, which are the identifiers of their templates: those of the system, and any of the product. */
export type MailOccasion = keyof typeof systemOccasions | (string & {});

/** The properties of an occasion's mails. */
export interface OccasionRule {
  /** The application path of the mail's link. */
  readonly path: string;
  /** The purpose of the mail's code, if it contains one. */
  readonly code?: CodePurpose;
  /** The state that the reader must still be in when it is sent. */
  readonly status: number;
  /** The caller has already counted it among the mails with codes. */
  readonly counted?: boolean;
  /** A company can have its own text, for users with a confirmed address. */
  readonly own?: boolean;
  /** Sent although neither the reader nor an owner of the company has confirmed an address. */
  readonly always?: boolean;
  /** It confirms the address: if the address belongs to another account, that account is notified instead. */
  readonly claims?: boolean;
  /** The limit of mails per hour and mailbox; default: 5. */
  readonly hourly?: number;
  /** Sent only to an address that the reader has confirmed, within limits of its own. */
  readonly notice?: boolean;
  /** The values of further placeholders, when it is sent; null if it is no longer needed. */
  fill?(program: Program, reader: number, about: QueuedMail['about']): Promise<MailValues | null>;
}

const systemOccasions = {
  forgot_password: { path: '/auth/reset-password', code: 'reset', status: activeStatus, always: true },
  account_setup: {
    path: '/auth/setup-account',
    code: 'setup',
    status: invitedStatus,
    counted: true,
    always: true,
    claims: true,
  },
  account_setup_by_provider: {
    path: '/auth/login',
    status: invitedStatus,
    counted: true,
    always: true,
    claims: true,
    fill: fillProvider,
  },
  confirm_address: { path: '/auth/confirm-address', code: 'confirm', status: activeStatus, always: true, claims: true },
  address_change: { path: '/auth/confirm-address', code: 'address', status: activeStatus, always: true, claims: true },
  address_changed: { path: '/auth/login', status: activeStatus },
  address_in_use: { path: '/auth/forgot-password', status: activeStatus },
  sign_in_blocked: { path: '/auth/forgot-password', status: activeStatus },
  password_changed: { path: '/auth/forgot-password', status: activeStatus, own: true },
  second_factor_changed: { path: '/profile/security', status: activeStatus },
  second_factor_reset: { path: '/profile/security', status: activeStatus },
  notification: { path: '/notifications', status: activeStatus, notice: true, fill: fillNotices },
  digest: { path: '/notifications', status: activeStatus, notice: true, fill: fillNotices },
} as const satisfies Record<string, OccasionRule>;

function fillNotices(program: Program, reader: number, { notifications }: QueuedMail['about']) {
  return noticeMailValues(program, reader, notifications as number[]);
}

/** The provider through which somebody who is invited signs in; null if passwords are enabled again. */
async function fillProvider(program: Program, reader: number): Promise<MailValues | null> {
  const account = await findAccountById(program.database.kysely, reader);
  const provider = account && (await requiredProviderFor(program, account));
  return provider ? { provider: safeMailName(provider.name) } : null;
}

/** All occasions by their identifiers. Throws if the product has one of the system's. */
export function mailOccasions({ mailOccasions: productOccasions = {} }: Product): ReadonlyMap<string, OccasionRule> {
  const rules = new Map<string, OccasionRule>(Object.entries(systemOccasions));
  for (const [name, rule] of Object.entries(productOccasions)) {
    if (rules.has(name)) throw new Error(`The system already has a mail occasion ${name}. Rename that of the product.`);
    rules.set(name, { ...rule, status: activeStatus });
  }
  return rules;
}

/** The occasions for which a company can write texts, because their mails stay within it. */
export function companyMailOccasions(product: Product): string[] {
  return [...mailOccasions(product)].filter(([, { own: perCompany }]) => perCompany).map(([name]) => name);
}
