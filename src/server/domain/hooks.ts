import type { Hooks } from '../program';
import { addressImportFiles, dropImportFile, guardImportRemoval, refuseWritingImports } from './import-history';
import { tellAnswered } from './notices/answered';
import { tellAssigned } from './notices/assigned';
import { tellCommented } from './notices/commented';
import { inviteUser } from './invitations';
import { guardMailTemplate } from './mail-templates';
import { pointOutOverlaps } from './overlaps';
import { guardRole, guardRoleRemoval, readPermissions, storePermissions } from './roles';
import { guardSite, guardSiteRemoval } from './sites';
import { recordForSecurity, refuseWritingSecurityLog } from './security-log';
import { fillSender } from './tickets';
import { endSignIns, guardUser, guardUserRemoval } from './users';

/** Every hook that a definition can name. */
export const hooks: Hooks = {
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
  pointOutOverlaps,
  fillSender,
  tellAssigned,
  tellCommented,
  tellAnswered,
  recordForSecurity,
  refuseWritingSecurityLog,
  refuseWritingImports,
  guardImportRemoval,
  addressImportFiles,
  dropImportFile,
};
