import type { Hooks } from '../program';
import {
  addImportFileUrls,
  removeImportFile,
  guardImportRemoval,
  refuseWritingImports,
} from '../imports/import-history-store';
import { inviteUser } from './users/invitations';
import { guardMailTemplate } from './mails/mail-templates';
import { guardRole, guardRoleRemoval, readPermissions, storePermissions } from './permissions/roles';
import { guardSite, guardSiteRemoval } from './companies/sites';
import { recordForSecurity, refuseWritingSecurityLog } from './security-log';
import { endSignIns, guardUser, guardUserRemoval } from './users/users';

/** The hooks that definitions of the system name. */
export const systemHooks: Hooks = {
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
  recordForSecurity,
  refuseWritingSecurityLog,
  refuseWritingImports,
  guardImportRemoval,
  addressImportFiles: addImportFileUrls,
  dropImportFile: removeImportFile,
};
