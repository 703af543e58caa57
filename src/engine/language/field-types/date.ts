import { choice } from '../key';
import { comparisons } from './shared-keys';
import { typeKeys } from './type-keys';

export const date = typeKeys({
  common: ['unique', 'computed'],
  keys: {
    ...comparisons,
    maxDate: choice(['$today'], {
      label: 'Latest day',
      labels: { $today: 'Today' },
      help: 'date: the latest day allowed; `$today` refuses the future.',
    }),
  },
});
