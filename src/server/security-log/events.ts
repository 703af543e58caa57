/**
 * Every event that the security log knows, with its name for people. The keys are stored: they stay as they are once
 * published, and more may join them.
 */
export const securityEvents = {
  sign_in: 'Signed in',
  sign_in_failed: 'Sign-in failed',
  sign_out: 'Signed out',
  sign_in_ended: 'Sign-in ended by its owner',
  registered: 'Company registered',
  refused: 'Refused',
  limited: 'Too many attempts',
  password_changed: 'Password changed',
  password_reset_requested: 'Password reset requested',
  address_changed: 'E-mail address changed',
  address_confirmed: 'E-mail address confirmed',
  second_factor_changed: 'Second factor changed',
  single_sign_on_changed: 'Single sign-on changed',
  token_created: 'Access token created',
  token_revoked: 'Access token revoked',
  user_created: 'User created',
  user_invited: 'User invited',
  user_changed: 'User changed',
  user_deleted: 'User deleted',
  user_erased: 'Personal data erased',
  data_downloaded: 'Own data downloaded',
  role_created: 'Role created',
  role_changed: 'Role changed',
  role_deleted: 'Role deleted',
  permissions_changed: 'Permissions changed',
  definition_published: 'Definition published',
  definition_restored: 'Definition restored',
  definition_retired: 'Definition retired',
  definition_purged: 'Definition purged',
  exported: 'Records exported',
  imported: 'Records imported',
  view_as_started: 'Viewing as somebody began',
  view_as_stopped: 'Viewing as somebody ended',
  share_link_created: 'Share link created',
  share_link_removed: 'Share link removed',
  settings_changed: 'Settings changed',
} as const;

export type SecurityEvent = keyof typeof securityEvents;
