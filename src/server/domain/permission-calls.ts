import type { Actor } from '../../engine/access/actor';
import { isGranted } from '../../engine/access/decide';
import { actions } from '../../engine/definitions/definition';
import { described } from '../http/described';
import { data, flag, id, listOf, object, orNull, text, whole } from '../http/schemas';

const tag = 'Permissions';
const may = (action: 'list' | 'edit') => (actor: Actor) => isGranted(actor, 'roles', action);
const grants = listOf(text);
const role = object({ role_id: id, role_name: text, level: whole, modulePermission: grants });
const action = object({ id: text, action: { enum: actions } });

/** How the calls of permissions describe themselves. */
export const calls = {
  modules: described({ id: 'module-permissions', tag, summary: 'What can be granted', shownTo: may('list'), answer: data(listOf(object({ module: text, label: text, actions: listOf(action) }))) }), // prettier-ignore
  list: described({ id: 'list-permissions', tag, summary: 'What each role grants', shownTo: may('list'), answer: data(listOf(role)) }), // prettier-ignore
  change: described({
    id: 'change-permissions',
    tag,
    summary: 'Change what a role grants',
    shownTo: may('edit'),
    body: { ...object({ modulePermission: grants }, ['modulePermission']), additionalProperties: false },
    answer: data(role),
  }),
  why: described({
    id: 'why-permissions',
    tag,
    summary: 'Whether somebody may do something, and why',
    query: {
      module: 'The name of a module.',
      action: `One of ${actions.join(', ')}.`,
      user_id: 'Whom it is about; without it, yourself.',
      id: 'A record of the module.',
      field: 'A field of the module.',
    },
    answer: data(object({ allowed: flag, reason: text, grant: orNull(text), rule: orNull(text) })),
  }),
};
