import { textLimits } from './shared-keys';
import { typeKeys } from './type-keys';

export const email = typeKeys({
  common: ['unique', 'computed'],
  keys: textLimits,
});
