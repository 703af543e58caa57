import { typeKeys } from './type-keys';

export const icon = typeKeys({
  common: ['unique', 'computed'],
  keys: {},
});
