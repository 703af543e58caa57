import { typeKeys } from './type-keys';

export const boolean = typeKeys({
  common: ['unique', 'computed'],
  keys: {},
});
