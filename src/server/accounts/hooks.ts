import type { Hooks } from '../program';
import {
  addImportFileUrls,
  removeImportFile,
  guardImportRemoval,
  refuseWritingImports,
} from '../imports/import-history-store';
import { notifyAnswered } from '../../product/notices/answered';
import { notifyAssigned } from '../../product/notices/assigned';
import { notifyCommented } from '../../product/notices/commented';
import { inviteUser } from './users/invitations';
import { guardMailTemplate } from './mails/mail-templates';
import { addOverlapWarnings } from '../../product/overlaps';
import { guardRole, guardRoleRemoval, readPermissions, storePermissions } from './permissions/roles';
import { guardSite, guardSiteRemoval } from './companies/sites';
import { recordForSecurity, refuseWritingSecurityLog } from './security-log';
import { fillSender } from '../../product/tickets';
import { endSignIns, guardUser, guardUserRemoval } from './users/users';

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
  pointOutOverlaps: addOverlapWarnings,
  fillSender,
  tellAssigned: notifyAssigned,
  tellCommented: notifyCommented,
  tellAnswered: notifyAnswered,
  recordForSecurity,
  refuseWritingSecurityLog,
  refuseWritingImports,
  guardImportRemoval,
  addressImportFiles: addImportFileUrls,
  dropImportFile: removeImportFile,
};
