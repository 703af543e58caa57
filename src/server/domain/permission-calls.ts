import type { Actor } from '../../engine/access/actor';
import { isGranted } from '../../engine/access/decide';
import { actions } from '../../engine/definitions/definition';
import { described } from '../http/described';
import { data, flag, id, listOf, object, orNull, text, whole } from '../http/schemas';
import { idempotencyHeader } from '../idempotency/header';
import { stepKinds } from '../permissions/explanation';

const tag = 'Permissions';
const may = (action: 'list' | 'edit') => (actor: Actor) => isGranted(actor, 'roles', action);
const grants = listOf(text);
const role = object({ role_id: id, role_name: text, level: whole, modulePermission: grants });
const listedRole = object({ ...(role.properties as object), users: whole, fixed: orNull(text) });
const changedRole = object({ role_id: id, modulePermission: grants, before: grants }, [
  'role_id',
  'modulePermission',
  'before',
]);
const action = object({ id: text, action: { enum: actions } });
const step = object({
  kind: { enum: stepKinds },
  outcome: { enum: ['passed', 'failed', 'notReached'] },
  text,
  condition: text,
});

/** How the calls of permissions describe themselves. */
export const calls = {
  modules: described({
    id: 'module-permissions',
    tag,
    summary: 'List the permissions that can be granted',
    shownTo: may('list'),
    answer: data(listOf(object({ module: text, label: text, actions: listOf(action) }))),
  }),
  list: described({
    id: 'list-permissions',
    tag,
    summary: 'List what each role grants, how many users have it, and why you cannot change it',
    shownTo: may('list'),
    answer: data(listOf(listedRole)),
  }),
  change: described({
    id: 'change-permissions',
    tag,
    summary: 'Change what a role grants',
    shownTo: may('edit'),
    headers: idempotencyHeader,
    body: { ...object({ modulePermission: grants }, ['modulePermission']), additionalProperties: false },
    answer: data(role),
  }),
  changeAll: described({
    id: 'change-all-permissions',
    tag,
    summary: 'Change what several roles grant, all at once; 409 if one of them changed in the meantime',
    shownTo: may('edit'),
    headers: idempotencyHeader,
    body: {
      ...object({ roles: listOf({ ...changedRole, additionalProperties: false }) }, ['roles']),
      additionalProperties: false,
    },
    answer: data(listOf(listedRole)),
  }),
  why: described({
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
    answer: data(
      object({
        allowed: flag,
        reason: text,
        grant: orNull(text),
        rule: orNull(text),
        steps: listOf(step),
        allowedFor: orNull(text),
        user: object({ id, name: text, role_id: id, role_name: text, level: whole }),
        record: orNull(object({ id, title: text })),
      }),
    ),
  }),
};
