import { tones } from '../../definitions/definition';
import { choice, union, flag, list, number, part, text } from '../key';
import { changes } from './shared-keys';
import { typeKeys } from './type-keys';

export const select = typeKeys({
  common: ['unique', 'computed'],
  required: ['options'],
  keys: {
    options: list(
      part({
        note: 'value',
        help: 'An option.',
        required: ['value', 'label'],
        keys: {
          value: union([text({ minLength: 0 }), number()], {
            label: 'Stored as',
            input: 'optionValue',
            begin: 'option_{n}',
            help: 'The stored value.',
          }),
          label: text({ label: 'Label', begin: 'Option {n}', help: 'The text shown.' }),
          tone: choice(tones, {
            label: 'Colour',
            fallback: 'No colour',
            help: 'The meaning of its colour. Default: neutral.',
          }),
          formerValue: union([text({ minLength: 0 }), number()], {
            label: 'Formerly stored as',
            applies: { was: true },
            help: 'Its former value. Stored rows with it get the new one when the definition is published, and so do saved views, tiles of pages and stored list queries. Programs, addresses and files that still say it mean the new value; the history keeps it.',
            examples: ['in_work'],
          }),
        },
      }),
      {
        label: 'Options',
        fallback: 'No options yet',
        minItems: 1,
        identity: 'value',
        help: 'The values of a `select`, in their order.',
      },
    ),
    multiple: flag({
      label: 'Several values',
      help: 'select: a record can have several of its options. The API has a list of values in the order of the options, and null where there is none; a condition with a plain value asks whether it is one of them, `$in` for any, `$all` for all. Lists filter by it and cannot be sorted by it; it has no `transitions`, and cannot be unique.',
      default: false,
    }),
    ...changes,
  },
});
