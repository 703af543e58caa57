import type { Hooks } from '../program';
import { pointOutOverlaps } from './overlaps';
import { guardRole, guardRoleRemoval, readPermissions, storePermissions } from './roles';
import { guardSiteRemoval } from './sites';
import { endSignIns, guardUser, guardUserRemoval } from './users';

/** Every hook that a definition may name. */
export const hooks: Hooks = {
  guardUser,
  guardUserRemoval,
  endSignIns,
  guardRole,
  guardRoleRemoval,
  storePermissions,
  readPermissions,
  guardSiteRemoval,
  pointOutOverlaps,
};
