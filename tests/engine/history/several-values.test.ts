import { expect, it } from 'vitest';
import { describeHistoryValue, fieldChangesOf } from '../../../src/engine/history/field-changes';
import { definition } from '../support/definitions';

const songs = definition({
  fields: {
    channels: {
      type: 'select',
      multiple: true,
      options: ['web', 'print', 'radio'].map((value) => ({ value, label: `The ${value}` })),
    },
  },
});

it.each<[string[] | null, string[] | null, [string, string]]>([
  [
    ['web', 'print'],
    ['print', 'radio'],
    ['Removed The web', 'Added The radio'],
  ],
  [['web'], ['web', 'radio'], ['', 'Added The radio']],
  [null, ['web', 'print'], ['', 'The web, The print']],
  [['web'], null, ['The web', '']],
])('a change of several values from %j to %j names the removed and the added ones', (old, fresh, told) => {
  const line = {
    old_values: { channels: old },
    new_values: { channels: fresh },
    event: 'updated',
    user: null,
    created_at: '2026-11-21T11:00:00.000Z',
  };
  const [change] = fieldChangesOf(songs, line);
  expect([describeHistoryValue(change!, 'old'), describeHistoryValue(change!, 'new')]).toEqual(told);
});
