import { inLists, target } from './shared-keys';
import { typeKeys } from './type-keys';

export const relations = typeKeys({
  required: ['to'],
  keys: {
    ...target,
    inLists,
  },
});
