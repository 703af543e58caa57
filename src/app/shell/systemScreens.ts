import { Level } from '../../engine/definitions/level';
import { isGranted } from '../../engine/access/access-decision';
import type { Alias, CustomScreen } from '../product';
import { canOpenImports } from '../data/importAccess';
import { settingsPath } from '../layout/menu';

/** Definitions are for administrators of the installation, and cannot be opened while viewing as another user. */
const isInstallationAdministrator: CustomScreen['allowed'] = ({ actor }) =>
  actor.level === Level.Installation && !actor.viewer;

/** Background work is for company owners and administrators. */
const isOwnerOrAdministrator: CustomScreen['allowed'] = ({ actor }) => actor.level <= Level.Owner;

const profile = { settings: true, group: 'Account', tabOf: 'Profile' };

/** The screens that every product has beside lists and forms, each loaded when it is first opened. */
export const systemScreens: readonly CustomScreen[] = [
  { path: settingsPath, load: () => import('./Settings') },
  {
    path: '/profile',
    load: () => import('../screens/profile/Profile'),
    menu: { label: 'Profile', icon: 'user', ...profile, order: 0 },
  },
  {
    path: '/profile/notifications',
    load: () => import('../screens/profile/NoticeChoices'),
    menu: { label: 'Notifications', icon: 'bell', ...profile, order: 1 },
  },
  {
    path: '/profile/security',
    load: () => import('../screens/profile/Security'),
    menu: { label: 'Security', icon: 'shield', ...profile, order: 2 },
  },
  {
    path: '/notifications',
    load: () => import('../screens/notifications/Notifications'),
    menu: { label: 'Notifications', icon: 'bell', key: 'n', order: 1 },
  },
  {
    path: '/notifications/create',
    load: () => import('../screens/notifications/Announcement'),
    allowed: ({ actor }) => actor.level <= Level.Owner && !actor.viewer,
  },
  { path: '/notifications/:id', load: () => import('../screens/notifications/Notifications') },
  { path: '/pages/:id/open', load: () => import('../screens/pages/PageScreen') },
  {
    path: '/imports',
    load: () => import('../screens/imports/Imports'),
    menu: { label: 'Imports', icon: 'upload', settings: true, group: 'Data', order: 220 },
    allowed: canOpenImports,
  },
  {
    path: '/jobs',
    load: () => import('../screens/jobs/Jobs'),
    menu: { label: 'Jobs', icon: 'activity', settings: true, group: 'System', order: 281 },
    allowed: isOwnerOrAdministrator,
  },
  {
    path: '/outbox',
    load: () => import('../screens/jobs/Outbox'),
    menu: { label: 'Outbox', icon: 'mail', settings: true, group: 'System', order: 282 },
    allowed: isOwnerOrAdministrator,
  },
  {
    path: '/deleted-users',
    load: () => import('../screens/deleted-users/DeletedUsers'),
    menu: { label: 'Deleted Users', icon: 'trash', settings: true, group: 'Company', order: 205 },
    allowed: ({ actor }) => actor.level <= Level.Owner && !actor.viewer && isGranted(actor, 'users', 'delete'),
  },
  {
    path: '/single-sign-on',
    load: () => import('../screens/single-sign-on/SingleSignOn'),
    menu: { label: 'Single Sign-on', icon: 'shield', settings: true, group: 'Company', order: 204 },
    allowed: ({ actor }) => actor.level <= Level.Owner && !actor.viewer,
  },
  {
    path: '/permissions',
    load: () => import('../screens/permissions/Permissions'),
    menu: { label: 'Permissions', icon: 'key', settings: true, group: 'Company', order: 203 },
    allowed: ({ actor }) => isGranted(actor, 'roles', 'list'),
  },
  {
    path: '/studio',
    load: () => import('../studio/modules/Modules'),
    menu: { label: 'Studio', icon: 'sliders', settings: true, group: 'Product', order: 260 },
    allowed: isInstallationAdministrator,
  },
  { path: '/studio/new', load: () => import('../studio/modules/NewModule'), allowed: isInstallationAdministrator },
  {
    path: '/studio/:name',
    load: () => import('../studio/Editor'),
    allowed: isInstallationAdministrator,
    menuFolded: true,
  },
  {
    path: '/studio/:name/versions',
    load: () => import('../studio/versions/Versions'),
    allowed: isInstallationAdministrator,
    menuFolded: true,
  },
  {
    path: '/studio/:name/upgrade',
    load: () => import('../studio/upgrade/Upgrade'),
    allowed: isInstallationAdministrator,
    menuFolded: true,
  },
];

/** Paths that people know or guess, redirected to the right screen. */
export const systemAliases: readonly Alias[] = [
  { path: '/modules', to: '/studio' },
  { path: '/modules/create', to: '/studio/new' },
  { path: '/modules/:name', to: '/studio/:name' },
  { path: '/permissions/create', to: '/roles/create' },
  { path: '/permissions/:id', to: '/roles/:id' },
];
