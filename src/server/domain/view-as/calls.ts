import { described } from '../../http/described';
import { data, flag, listOf, object, orNull, outcome, text, whole } from '../../http/schemas';
import { mayViewAs as shownTo } from './viewed';

const tag = 'View as';
const q = 'Part of the name, the role or the company.';
const site = { type: ['object', 'null'], properties: { id: whole, name: text } };
const user = object({
  id: { ...whole, description: 'When viewing as a role: an id that no user has.' },
  name: text,
  first_name: text,
  last_name: text,
  email: text,
  role_id: whole,
  site_id: orNull(whole),
  site,
  confirmed: flag,
});
const role = object({ id: whole, role_name: text, level: whole });
const permissions = { type: 'object', additionalProperties: listOf({ enum: ['list', 'view'] }) };
const chosen = object({
  as: { ...text, description: 'The value for the header X-View-As.' },
  name: text,
  role: text,
  level: whole,
  company: orNull(text),
});

/** How the calls of viewing as another describe themselves. */
export const calls = {
  viewAs: described({
    id: 'view-as',
    tag,
    summary:
      'Get the user or role that you view as. With the header X-View-As every call returns only what both of you can see; only GET is allowed.',
    headers: { 'X-View-As': 'Such as "user 5", "role 4" or "role 4 site 2". Every call accepts it.' },
    shownTo,
    answer: data(object({ user, role, totalClients: whole, totalProjects: whole, permissions })),
  }),
  stop: described({
    id: 'stop-view-as',
    tag,
    summary: 'Record in the security log that you stopped viewing as another user',
    query: { as: 'The value that the header had.' },
    shownTo,
    answer: outcome,
  }),
  people: described({
    id: 'view-as-people',
    tag,
    summary: 'List the users that you can view as',
    shownTo,
    query: { q },
    answer: data(listOf(chosen)),
  }),
  roles: described({
    id: 'view-as-roles',
    tag,
    summary: 'List the roles that you can view as',
    shownTo,
    query: { q },
    answer: data(listOf(chosen)),
  }),
};
