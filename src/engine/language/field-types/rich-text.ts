import { lines, textLimits } from './shared-keys';
import { typeKeys } from './type-keys';

export const richText = typeKeys({
  keys: {
    ...textLimits,
    lines,
  },
});
