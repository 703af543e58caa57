import { engineTables } from './0001-engine-tables';
import { notifications } from './0002-notifications';
import { files } from './0003-files';
import { mail } from './0004-mail';
import { toldDeadlines } from './0005-told-deadlines';
import { importMappings } from './0006-import-mappings';
import { recentHistory } from './0007-recent-history';
import { modules } from './0008-modules';
import { fileOwners } from './0009-file-owners';
import { jobs } from './0011-jobs';
import { keptMails } from './0012-kept-mails';
import { idempotencyKeys } from './0013-idempotency-keys';
import { signInGuards } from './0015-sign-in-guards';
import { addressChanges } from './0016-address-changes';
import { securityLog } from './0017-security-log';
import { securityLogView } from './0018-security-log-view';
import { renewedTokens } from './0019-renewed-tokens';
import { secondFactor } from './0020-second-factor';
import { ages } from './0022-ages';
import { singleSignOn } from './0023-single-sign-on';
import { securityLogSearch } from './0024-security-log-search';
import { importMemories } from './0029-import-memories';
import { sequences } from './0037-sequences';
import { automations } from './0050-automations';
import { versionNotes } from './0059-version-notes';
import { serviceAccounts } from './0062-service-accounts';
import { waitingFiles } from './0065-waiting-files';
import { periodicWork } from './0067-periodic-work';
import { moduleDrafts } from './0071-module-drafts';
import { presence } from './0075-presence';
import { restoredVersions } from './0078-restored-versions';
import { comments } from './0081-comments';
import { commentFiles } from './0085-comment-files';
import { serviceScopes } from './0084-service-scopes';
import { deletions } from './0087-deletions';
import { userPreferences } from './0091-user-preferences';
import { sampleRecords } from './0092-sample-records';
import { timers } from './0093-timers';
import { occasions } from './0096-occasions';
import { noticeChoices } from './0097-notice-choices';
import { firstViews } from './0099-first-views';
import { watchedChanges } from './0100-watched-changes';
import { presenceEditing } from './0101-presence-editing';
import { releases } from './0102-releases';
import { notifiedComments } from './0104-notified-comments';
import { trustedAddresses } from './0105-trusted-addresses';
import { dueRuns } from './0106-due-runs';
import { linkedNotices } from './0107-linked-notices';
import type { Migration } from './migration';

/** All migrations, oldest first. */
export const migrations: readonly Migration[] = [
  engineTables,
  notifications,
  files,
  mail,
  toldDeadlines,
  importMappings,
  recentHistory,
  modules,
  fileOwners,
  jobs,
  keptMails,
  idempotencyKeys,
  signInGuards,
  addressChanges,
  securityLog,
  securityLogView,
  renewedTokens,
  secondFactor,
  ages,
  singleSignOn,
  securityLogSearch,
  importMemories,
  sequences,
  automations,
  versionNotes,
  serviceAccounts,
  waitingFiles,
  periodicWork,
  moduleDrafts,
  presence,
  restoredVersions,
  comments,
  serviceScopes,
  commentFiles,
  deletions,
  userPreferences,
  sampleRecords,
  timers,
  occasions,
  noticeChoices,
  firstViews,
  watchedChanges,
  presenceEditing,
  releases,
  notifiedComments,
  trustedAddresses,
  dueRuns,
  linkedNotices,
];
