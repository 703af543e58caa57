import { fieldName } from '../names';
import { comparisons } from './shared-keys';
import { typeKeys } from './type-keys';

export const time = typeKeys({
  common: ['unique'],
  keys: {
    ...comparisons,
    dateField: fieldName({
      type: 'date',
      label: 'On the day of',
      options: 'referenced',
      help: 'time: the date field that has its day. The time is then accepted as `HH:mm` or `YYYY-MM-DD HH:mm` (the day comes from the date field) and returned with its day: `2026-11-16 14:30`.',
    }),
    suggestedFrom: fieldName({
      type: 'time',
      label: 'Offers the last',
      options: 'referenced',
      help: "time: a time of the same day that this one goes on from, such as the `end` that a `start` follows. While it is empty, the form of a new record offers the latest such time among the caller's own records of that day: a button below the input, or the arrow key down. Records are the caller's by the field whose default is `$actor.id`, else by who created them. Nothing is filled in by itself.",
    }),
  },
});
