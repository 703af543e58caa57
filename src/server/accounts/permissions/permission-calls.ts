import { Type, type Static } from 'typebox';
import { actions } from '../../../engine/definitions/definition';
import { closedObject, dataOf, defineCall, id, idParameter, idParams, nullable } from '../../routing/define-call';
import { idempotencyHeader } from '../../idempotency/header';
import { stepKinds } from './explanation';

const tag = 'Permissions';
const grants = Type.Array(Type.String());
const role = Type.Object({
  role_id: id,
  role_name: Type.String(),
  key: Type.String({ description: 'Rules name the role by it.' }),
  level: Type.Integer(),
  modulePermission: grants,
});
const listedRole = Type.Object({
  ...(role.properties as object),
  users: Type.Integer(),
  fixed: nullable(Type.String()),
});
const newGrants = Type.Array(Type.String(), { title: 'Permissions', maxItems: 10_000 });
const changedRole = Type.Object(
  {
    role_id: id,
    modulePermission: newGrants,
    before: Type.Array(Type.String(), { description: 'The permissions that the role granted until now.' }),
  },
  closedObject,
);

/** The new permissions of a role, and the ones it had when the user started editing. */
export type RoleChange = Static<typeof changedRole>;

const action = Type.Object({ id: Type.String(), action: Type.Enum([...actions]) });
const step = Type.Object({
  kind: Type.Enum([...stepKinds]),
  outcome: Type.Enum(['passed', 'failed', 'notReached']),
  text: Type.String(),
  condition: Type.String(),
});

/** The calls of permissions. */
export const permissionCalls = {
  modules: defineCall({
    id: 'module-permissions',
    tag,
    summary: 'List the permissions that can be granted',
    grant: { resource: 'roles', action: 'list' },
    answer: dataOf(
      Type.Array(Type.Object({ module: Type.String(), label: Type.String(), actions: Type.Array(action) })),
    ),
  }),
  list: defineCall({
    id: 'list-permissions',
    tag,
    summary: 'List what each role grants, how many users have it, and why you cannot change it',
    grant: { resource: 'roles', action: 'list' },
    answer: dataOf(Type.Array(listedRole)),
  }),
  change: defineCall({
    id: 'change-permissions',
    tag,
    summary: 'Change what a role grants',
    grant: { resource: 'roles', action: 'edit' },
    headers: idempotencyHeader,
    params: idParams,
    body: Type.Object({ modulePermission: newGrants }, closedObject),
    answer: dataOf(role),
  }),
  changeAll: defineCall({
    id: 'change-all-permissions',
    tag,
    summary: 'Change what several roles grant, all at once; 409 if one of them changed in the meantime',
    grant: { resource: 'roles', action: 'edit' },
    headers: idempotencyHeader,
    // Every role with every grant.
    json: { values: 300_000 },
    body: Type.Object({ roles: Type.Array(changedRole, { title: 'Roles', minItems: 1, maxItems: 200 }) }, closedObject),
    answer: dataOf(Type.Array(listedRole)),
  }),
  why: defineCall({
    id: 'why-permissions',
    scope: ['roles.view'],
    tag,
    summary: 'Explain whether a user may do something',
    querystring: Type.Object(
      {
        module: Type.String({ description: 'The name of a module.' }),
        action: Type.Enum([...actions], { errorMessage: `action must be one of ${actions.join(', ')}.` }),
        user_id: idParameter('user_id', 'The user; default: yourself.'),
        service_account_id: idParameter('service_account_id', 'Instead of a user: a service account.'),
        id: idParameter('id', 'A record of the module.'),
        field: Type.Optional(Type.String({ description: 'A field of the module.' })),
      },
      closedObject,
    ),
    answer: dataOf(
      Type.Object({
        allowed: Type.Boolean(),
        reason: Type.String(),
        grant: nullable(Type.String()),
        rule: nullable(Type.String()),
        steps: Type.Array(step),
        allowedFor: nullable(Type.String()),
        user: Type.Object({
          id,
          name: Type.String(),
          role_id: id,
          role_name: Type.String(),
          level: Type.Integer(),
        }),
        record: nullable(Type.Object({ id, title: Type.String() })),
      }),
    ),
  }),
};

/** The query of `GET permissions/why`. */
export type PermissionQuery = Static<typeof permissionCalls.why.schema.querystring>;
