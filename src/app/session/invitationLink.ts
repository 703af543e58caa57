/**
 * The address where an invited person sets up the account, which invitations name. The server accepts it, and writes links
 * into mails by its own address alone.
 *
 * @example invitationLink().invitationLink; // 'https://assay.test/auth/setup-account'
 */
export const invitationLink = () => ({ invitationLink: `${window.location.origin}/auth/setup-account` });

/** The call that sends an invitation once more. */
export const invitationPath = 'resend-invitation';
