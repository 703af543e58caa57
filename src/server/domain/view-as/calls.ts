import { described } from '../../http/described';
import { data, flag, listOf, object, orNull, outcome, text, whole } from '../../http/schemas';
import { mayViewAs as shownTo } from './viewed';

const tag = 'View as';
const q = 'Contained in the name, the role or the company.';
const site = { type: ['object', 'null'], properties: { id: whole, name: text } };
const user = object({
  id: { ...whole, description: 'An id that nobody has where a role alone is viewed as.' },
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
  as: { ...text, description: 'What the header X-View-As is to say.' },
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
      'Whom you view as. With the header X-View-As every call answers what both of you may see; whatever is not GET is refused.',
    headers: { 'X-View-As': 'Such as "user 5", "role 4" or "role 4 site 2". Every call takes it.' },
    shownTo,
    answer: data(object({ user, role, totalClients: whole, totalProjects: whole, permissions })),
  }),
  stop: described({
    id: 'stop-view-as',
    tag,
    summary: 'Say that you stopped viewing as another, for the security log',
    query: { as: 'Whom you viewed as, as the header said it.' },
    shownTo,
    answer: outcome,
  }),
  people: described({
    id: 'view-as-people',
    tag,
    summary: 'The people as whom you may view',
    shownTo,
    query: { q },
    answer: data(listOf(chosen)),
  }),
  roles: described({
    id: 'view-as-roles',
    tag,
    summary: 'The roles as which you may view',
    shownTo,
    query: { q },
    answer: data(listOf(chosen)),
  }),
};
