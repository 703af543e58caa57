/** By resource of the system, the fields that the program uses, which definitions must keep. */
export const requiredSystemFields: Readonly<Record<string, readonly string[]>> = {
  users: ['name', 'first_name', 'last_name', 'email', 'phone_number', 'role_id', 'status_id', 'password'],
  roles: ['role_name', 'key', 'level', 'modulePermission'],
  sites: ['name', 'time_zone'],
  'user-status': ['option_name'],
  'email-templates': ['name', 'identifier', 'subject', 'content', 'header', 'footer', 'from', 'cc', 'bcc', 'user_id'],
  'notification-templates': ['name', 'identifier', 'subject', 'content', 'user_id'],
  imports: ['file_name', 'file_path', 'file_key', 'type', 'total', 'imported', 'failed', 'state'],
};
