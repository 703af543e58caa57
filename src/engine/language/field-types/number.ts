import { flag } from '../key';
import { comparisons, digits, range } from './shared-keys';
import { typeKeys } from './type-keys';

export const number = typeKeys({
  common: ['unique', 'computed'],
  keys: {
    ...range,
    integer: flag({
      label: 'Whole numbers only',
      help: 'Only whole numbers, up to 2,147,483,647; beyond it where `min` or `max` says so.',
      default: false,
    }),
    decimal: flag({
      label: 'Stored exactly',
      help: 'number: stored exactly, as `numeric`, with `digits` decimals (2 by default) and at most 15 digits in all. A value with more decimals is refused, sums are exact.',
      default: false,
    }),
    digits,
    separators: flag({
      label: 'Commas between thousands',
      help: 'number: whether to show thousands separators (true by default); false for numbers that are identifiers, such as years. Inputs and spreadsheets have none.',
    }),
    ...comparisons,
  },
});
