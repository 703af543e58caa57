import type { Hooks } from '../program';
import { inviteUser } from './users/invitations';
import { guardMailTemplate } from './mails/mail-templates';
import { guardRole, guardRoleRemoval, readPermissions, storePermissions } from './permissions/roles';
import { guardSite, guardSiteRemoval, guardTimeZone } from './companies/sites';
import { recordForSecurity, refuseWritingSecurityLog } from './security-log';
import { serviceAccountHooks } from './service-accounts/hooks';
import { endSignIns, guardUser, guardUserRemoval } from './users/users';

/** The hooks that the definitions of users, companies, roles, mail templates, the security log and service accounts name. */
export const accountHooks: Hooks = {
  guardUser,
  guardUserRemoval,
  endSignIns,
  inviteUser,
  guardMailTemplate,
  guardRole,
  guardRoleRemoval,
  storePermissions,
  readPermissions,
  guardSite,
  guardSiteRemoval,
  guardTimeZone,
  recordForSecurity,
  refuseWritingSecurityLog,
  ...serviceAccountHooks,
};
