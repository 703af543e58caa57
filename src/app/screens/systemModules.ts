/** The modules that every product has. */
export const systemModules: ReadonlySet<string> = new Set([
  'users',
  'roles',
  'sites',
  'user-status',
  'email-templates',
  'notification-templates',
  'imports',
  'security-log',
]);
