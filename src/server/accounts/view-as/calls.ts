import { describeCall } from '../../routing/call-description';
import {
  dataSchema,
  booleanSchema,
  arraySchema,
  objectSchema,
  nullableSchema,
  outcomeSchema,
  stringSchema,
  integerSchema,
} from '../../routing/schemas';
import { canViewAs as shownTo } from './viewed-actor';

const tag = 'View as';
const q = 'Part of the name, the role or the company.';
const site = { type: ['object', 'null'], properties: { id: integerSchema, name: stringSchema } };
const user = objectSchema({
  id: { ...integerSchema, description: 'When viewing as a role: an id that no user has.' },
  name: stringSchema,
  first_name: stringSchema,
  last_name: stringSchema,
  email: stringSchema,
  role_id: integerSchema,
  site_id: nullableSchema(integerSchema),
  site,
  confirmed: booleanSchema,
});
const role = objectSchema({ id: integerSchema, role_name: stringSchema, level: integerSchema });
const permissions = { type: 'object', additionalProperties: arraySchema({ enum: ['list', 'view'] }) };
const chosen = objectSchema({
  as: { ...stringSchema, description: 'The value for the header X-View-As.' },
  name: stringSchema,
  role: stringSchema,
  level: integerSchema,
  company: nullableSchema(stringSchema),
});

/** How the calls of viewing as another describe themselves. */
export const viewAsCalls = {
  viewAs: describeCall({
    id: 'view-as',
    tag,
    summary:
      'Get the user or role that you view as. With the header X-View-As every call returns only what both of you can see; only GET is allowed.',
    headers: { 'X-View-As': 'Such as "user 5", "role 4" or "role 4 site 2". Every call accepts it.' },
    shownTo,
    answer: dataSchema(
      objectSchema({ user, role, totalClients: integerSchema, totalProjects: integerSchema, permissions }),
    ),
  }),
  stop: describeCall({
    id: 'stop-view-as',
    tag,
    summary: 'Record in the security log that you stopped viewing as another user',
    query: { as: 'The value that the header had.' },
    shownTo,
    answer: outcomeSchema,
  }),
  people: describeCall({
    id: 'view-as-people',
    tag,
    summary: 'List the users that you can view as',
    shownTo,
    query: { q },
    answer: dataSchema(arraySchema(chosen)),
  }),
  roles: describeCall({
    id: 'view-as-roles',
    tag,
    summary: 'List the roles that you can view as',
    shownTo,
    query: { q },
    answer: dataSchema(arraySchema(chosen)),
  }),
};
