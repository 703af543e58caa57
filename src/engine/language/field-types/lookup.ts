import { digits, source } from './shared-keys';
import { typeKeys } from './type-keys';

export const lookup = typeKeys({
  common: ['unique'],
  required: ['source'],
  keys: {
    source,
    digits,
  },
  particulars: { source: { reference: { kind: 'path', through: 'relations' } } },
});
