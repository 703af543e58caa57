import type { CodePurpose } from '../session/codes';
import { active, invited } from './user-status';

/** What mails are sent on: the identifiers of their templates. */
export type Occasion = keyof typeof occasions;

/** What is particular about the mails of an occasion. */
export interface OccasionRule {
  /** The application's path that the mail's link leads to. */
  readonly path: string;
  /** What the mail's code is good for, if it carries one. */
  readonly code?: CodePurpose;
  /** The state that the reader must still be in when it is sent. */
  readonly status: number;
  /** Whoever wanted it has counted it among the mails with codes already. */
  readonly counted?: boolean;
  /** A company may have a text of its own, for those of its people who have confirmed their address. */
  readonly own?: boolean;
  /** Sent although neither the reader nor an owner of the company has confirmed an address. */
  readonly always?: boolean;
  /** It makes the address the reader's: where it is somebody else's already, they are told instead. */
  readonly claims?: boolean;
  /** How many an hour go to a mailbox; 5 unless told. */
  readonly hourly?: number;
}

export const occasions = {
  forgot_password: { path: '/auth/reset-password', code: 'reset', status: active, always: true },
  account_setup: {
    path: '/auth/setup-account',
    code: 'setup',
    status: invited,
    counted: true,
    always: true,
    claims: true,
  },
  confirm_address: { path: '/auth/confirm-address', code: 'confirm', status: active, always: true, claims: true },
  address_change: { path: '/auth/confirm-address', code: 'address', status: active, always: true, claims: true },
  address_changed: { path: '/auth/login', status: active },
  address_in_use: { path: '/auth/forgot-password', status: active },
  sign_in_blocked: { path: '/auth/forgot-password', status: active },
  password_changed: { path: '/auth/forgot-password', status: active, own: true },
  ticket_answered: { path: '/', status: active, own: true, hourly: 20 },
  second_factor_changed: { path: '/profile/security', status: active },
  second_factor_reset: { path: '/profile/security', status: active },
} as const satisfies Record<string, OccasionRule>;

/** The occasions for which a company may write texts: their mails stay within it. */
export const ownOccasions = Object.keys(occasions).filter(
  (name) => (occasions as Record<string, OccasionRule>)[name]!.own,
);
