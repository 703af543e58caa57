import { comparisons } from './shared-keys';
import { typeKeys } from './type-keys';

export const datetime = typeKeys({
  common: ['unique', 'computed'],
  keys: comparisons,
});
