import { typeKeys } from './type-keys';

export const image = typeKeys({
  keys: {},
});
