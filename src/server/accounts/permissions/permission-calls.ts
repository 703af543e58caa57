import type { Actor } from '../../../engine/access/actor';
import { isGranted } from '../../../engine/access/access-decision';
import { actions } from '../../../engine/definitions/definition';
import { describeCall } from '../../routing/call-description';
import {
  dataSchema,
  booleanSchema,
  idSchema,
  arraySchema,
  objectSchema,
  nullableSchema,
  stringSchema,
  integerSchema,
} from '../../routing/schemas';
import { idempotencyHeader } from '../../idempotency/header';
import { stepKinds } from './explanation';

const tag = 'Permissions';
const may = (action: 'list' | 'edit') => (actor: Actor) => isGranted(actor, 'roles', action);
const grants = arraySchema(stringSchema);
const role = objectSchema({
  role_id: idSchema,
  role_name: stringSchema,
  level: integerSchema,
  modulePermission: grants,
});
const listedRole = objectSchema({
  ...(role.properties as object),
  users: integerSchema,
  fixed: nullableSchema(stringSchema),
});
const changedRole = objectSchema({ role_id: idSchema, modulePermission: grants, before: grants }, [
  'role_id',
  'modulePermission',
  'before',
]);
const action = objectSchema({ id: stringSchema, action: { enum: actions } });
const step = objectSchema({
  kind: { enum: stepKinds },
  outcome: { enum: ['passed', 'failed', 'notReached'] },
  text: stringSchema,
  condition: stringSchema,
});

/** How the calls of permissions describe themselves. */
export const permissionCalls = {
  modules: describeCall({
    id: 'module-permissions',
    tag,
    summary: 'List the permissions that can be granted',
    shownTo: may('list'),
    answer: dataSchema(
      arraySchema(objectSchema({ module: stringSchema, label: stringSchema, actions: arraySchema(action) })),
    ),
  }),
  list: describeCall({
    id: 'list-permissions',
    tag,
    summary: 'List what each role grants, how many users have it, and why you cannot change it',
    shownTo: may('list'),
    answer: dataSchema(arraySchema(listedRole)),
  }),
  change: describeCall({
    id: 'change-permissions',
    tag,
    summary: 'Change what a role grants',
    shownTo: may('edit'),
    headers: idempotencyHeader,
    body: { ...objectSchema({ modulePermission: grants }, ['modulePermission']), additionalProperties: false },
    answer: dataSchema(role),
  }),
  changeAll: describeCall({
    id: 'change-all-permissions',
    tag,
    summary: 'Change what several roles grant, all at once; 409 if one of them changed in the meantime',
    shownTo: may('edit'),
    headers: idempotencyHeader,
    body: {
      ...objectSchema({ roles: arraySchema({ ...changedRole, additionalProperties: false }) }, ['roles']),
      additionalProperties: false,
    },
    answer: dataSchema(arraySchema(listedRole)),
  }),
  why: describeCall({
    id: 'why-permissions',
    tag,
    summary: 'Explain whether a user may do something',
    query: {
      module: 'The name of a module.',
      action: `One of ${actions.join(', ')}.`,
      user_id: 'The user; default: yourself.',
      id: 'A record of the module.',
      field: 'A field of the module.',
    },
    answer: dataSchema(
      objectSchema({
        allowed: booleanSchema,
        reason: stringSchema,
        grant: nullableSchema(stringSchema),
        rule: nullableSchema(stringSchema),
        steps: arraySchema(step),
        allowedFor: nullableSchema(stringSchema),
        user: objectSchema({
          id: idSchema,
          name: stringSchema,
          role_id: idSchema,
          role_name: stringSchema,
          level: integerSchema,
        }),
        record: nullableSchema(objectSchema({ id: idSchema, title: stringSchema })),
      }),
    ),
  }),
};
