import { text } from '../key';
import { refer } from '../names';
import { digits, range } from './shared-keys';
import { typeKeys } from './type-keys';

export const money = typeKeys({
  common: ['unique', 'computed'],
  required: ['currency'],
  keys: {
    currency: refer(
      text({
        label: 'Currency',
        input: 'text',
        onRemoval: 'report',
        pattern: '^([A-Z]{3}|[a-z][A-Za-z0-9_]{0,62})$',
        help: 'money: the code of its currency (ISO 4217), or the select or text field of the same record that has the code. Lists, forms and files show the amount with it. It is stored exactly, as `numeric`, with the decimals of the currency or `digits` (2 where a field has the code), and at most 15 digits in all. Where a field has the code, a rollup can add or compare amounts only if its `where` says the currency.',
        examples: ['EUR', 'currency'],
      }),
      'field',
    ),
    digits,
    ...range,
  },
});
