import { Type, type TProperties } from 'typebox';
import { dataOf, defineCall, nullable, outcome } from '../../routing/define-call';
import { ownRole, roleNames } from '../session/calls';
import { canViewAs as shownTo } from './viewed-actor';

const wrongAs = 'as must name the user or role that you viewed as, such as "user 5" or "role 4".';
const tag = 'View as';
const wrongSearch = 'q must be a text of at most 500 characters.';
const search = Type.Object({
  q: Type.Optional(
    Type.String({
      description: 'Part of the name, the role or the company.',
      maxLength: 500,
      errorMessage: wrongSearch,
    }),
  ),
});
const site = nullable(Type.Object({ id: Type.Integer(), name: Type.String() }));
const user = Type.Object({
  id: Type.Integer({ description: 'When viewing as a role: an id that no user has.' }),
  name: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  email: Type.String(),
  role_id: Type.Integer(),
  site_id: nullable(Type.Integer()),
  site,
  confirmed: Type.Boolean(),
});
const permissions = Type.Record(Type.String(), Type.Array(Type.Enum(['list', 'view'])));
const rolePermissions = Type.Record(Type.String(), Type.Array(Type.String()), {
  description:
    'What the role holds, with what cannot be done while viewing: so that a refusal says which of both it is.',
});
const chosenView = Type.Object({
  as: Type.String({ description: 'The value for the header X-View-As.' }),
  name: Type.String(),
  role: Type.String(),
  level: Type.Integer(),
  company: nullable(Type.String()),
});

/** The call that says whom a request views as, in the form of `me`, with what the product adds. */
export const viewAsCall = (facts: TProperties = {}) =>
  defineCall({
    id: 'view-as',
    scope: 'person',
    tag,
    summary:
      'Get the user or role that you view as. With the header X-View-As every call returns only what both of you can see; only GET is allowed.',
    headers: { 'X-View-As': 'Such as "user 5", "role 4" or "role 4 site 2". Every call accepts it.' },
    shownTo,
    answer: dataOf(
      Type.Object({ user, role: ownRole, roles: roleNames, ...facts, permissions, held: rolePermissions }),
    ),
  });

/** The other calls of viewing as another user. */
export const viewAsCalls = {
  stop: defineCall({
    id: 'stop-view-as',
    scope: 'person',
    tag,
    summary: 'Record in the security log that you stopped viewing as another user',
    querystring: Type.Object({
      as: Type.String({ description: 'The value that the header had.', errorMessage: wrongAs }),
    }),
    shownTo,
    answer: outcome,
  }),
  people: defineCall({
    id: 'view-as-people',
    scope: 'person',
    tag,
    summary: 'List the users that you can view as',
    shownTo,
    querystring: search,
    answer: dataOf(Type.Array(chosenView)),
  }),
  roles: defineCall({
    id: 'view-as-roles',
    scope: 'person',
    tag,
    summary: 'List the roles that you can view as',
    shownTo,
    querystring: search,
    answer: dataOf(Type.Array(chosenView)),
  }),
};
