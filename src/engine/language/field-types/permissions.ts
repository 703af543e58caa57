import { fieldName } from '../names';
import { typeKeys } from './type-keys';

export const permissions = typeKeys({
  keys: {
    limitedBy: fieldName({
      label: 'Limited to the permissions of',
      options: 'sameType',
      help: 'permissions: a relation of the same record to a record with permissions, such as its role. The form locks those that it does not have. Locks are a help for people: what the server refuses is decided by a hook.',
      examples: ['role_id'],
    }),
  },
});
