import { textLimits } from './shared-keys';
import { typeKeys } from './type-keys';

export const url = typeKeys({
  common: ['unique', 'computed'],
  keys: textLimits,
});
