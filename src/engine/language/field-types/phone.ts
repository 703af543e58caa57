import { textLimits } from './shared-keys';
import { typeKeys } from './type-keys';

export const phone = typeKeys({
  common: ['unique', 'computed'],
  keys: textLimits,
});
