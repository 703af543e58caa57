import { textLimits } from './shared-keys';
import { typeKeys } from './type-keys';

export const password = typeKeys({
  keys: textLimits,
});
