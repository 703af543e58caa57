import { text } from '../key';
import { refer } from '../names';
import { typeKeys } from './type-keys';

export const json = typeKeys({
  keys: {
    queryResource: refer(
      text({
        label: 'Has a list query of',
        pattern: '^[a-z][a-z0-9-]{0,62}$',
        help: 'json: the resource of which it stores a list query, such as `{"status": "open"}`. When fields are renamed, the query gets their present names. What is no query stays as it is.',
        examples: ['orders'],
      }),
      'resource',
    ),
  },
});
