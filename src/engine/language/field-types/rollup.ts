import { choice } from '../key';
import { condition, fieldName, fieldPath } from '../names';
import { digits, latestBy, source } from './shared-keys';
import { typeKeys } from './type-keys';

export const rollup = typeKeys({
  common: ['unique'],
  required: ['source', 'aggregate'],
  keys: {
    source,
    aggregate: choice(['count', 'sum', 'avg', 'min', 'max', 'share', 'latest'], {
      label: 'Takes',
      labels: {
        count: 'Number of records',
        sum: 'Sum',
        avg: 'Average',
        min: 'Least',
        max: 'Greatest',
        share: 'Percentage that matches',
        latest: 'Latest',
      },
      help: 'rollup: what it takes from the active records that point here and that the reader may list, or from the rows of the record. count: how many there are · sum, avg: of `field` · min, max: the least or greatest `field` · share: the percentage of them that match `where`, as a number from 0 to 100 in lists, files and the API · latest: `field` of the one with the latest `latestBy`; of rows without `latestBy`, of the last. Without such records a count and a sum are 0, anything else has no value. It has the `digits` of `field`, an average 2, a share 1, unless it says otherwise; durations are taken as minutes.',
    }),
    field: fieldPath({
      label: 'Of the field',
      options: 'childFields',
      in: 'source',
      onRemoval: 'report',
      help: 'rollup: the field of those records, or the column of those rows, that it takes.',
    }),
    latestBy,
    of: fieldName({
      label: 'Part of',
      options: 'figures',
      rare: true,
      help: 'rollup: a number of the same record that the value is a part of, shown beside it: `3 of 8`. Minutes are shown as hours of hours: `4:30 of 6:00`.',
    }),
    where: condition({
      label: 'Only of records where',
      in: 'source',
      onRemoval: 'report',
      help: 'rollup: which of those records or rows count; a condition on rows compares their columns. For `share`: which of them are the share.',
      examples: [{ state: 'won' }],
    }),
    digits,
  },
});
