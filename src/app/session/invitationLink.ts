/** What invites people, by its path. */
const invitingPaths: ReadonlySet<string> = new Set(['users', 'resend-invitation']);

/**
 * The values with the address where an invited person sets up the account, as the specification of these calls has it.
 * The server accepts it, and writes links into mails by its own address alone.
 *
 * @example withInvitationLink('resend-invitation', { user_id: 7 }); // { user_id: 7, invitationLink: 'https://…/auth/setup-account' }
 */
export function withInvitationLink<T extends object>(path: string, values: T): T & { invitationLink?: string } {
  if (!invitingPaths.has(path)) return values;
  return { ...values, invitationLink: `${window.location.origin}/auth/setup-account` };
}
