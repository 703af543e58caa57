import { flag } from '../key';
import { textLimits } from './shared-keys';
import { typeKeys } from './type-keys';

export const text = typeKeys({
  common: ['unique', 'computed'],
  keys: {
    ...textLimits,
    similar: flag({
      label: 'Points out similar records',
      rare: true,
      help: 'text: while it is typed into a form, records of the module with a similar text are named below the input, so that nothing is entered twice: at most five that the user may list, of the same targets of relations that are `container`. It never keeps anybody from saving. `GET r/similar/{field}` finds them, by an index of their trigrams. Default: false.',
    }),
  },
});
