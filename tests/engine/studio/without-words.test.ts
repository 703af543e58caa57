import { expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { withoutWords } from '../../../src/engine/studio/without-words';

const deals: Source = {
  name: 'deals',
  labels: { one: 'Deal', many: 'Deals' },
  recordTitle: '{label}',
  fields: {
    label: { type: 'text', label: 'Name', help: 'As the customer calls it.', default: 'New', pattern: '^[A-Z]' },
    stage: {
      type: 'select',
      options: [{ value: 'won', label: 'Won', tone: 'good' }],
      choices: { label: 'Won' },
    } as never,
    doubled: { type: 'text', computed: '{label} {label}', label: 'Twice' },
  },
  list: {
    columns: ['label'],
    sort: '-label',
    emptyText: 'No deals',
    tabs: [{ name: 'won', label: 'Won', filter: { stage: 'won' } }],
  },
  rules: [{ levels: [4], action: 'list', where: { label: 'Won' }, reason: 'only what was won' }],
};

test('a definition without its words keeps all keys that decide about records', () => {
  expect(withoutWords(deals)).toEqual({
    name: 'deals',
    labels: {},
    recordTitle: '{label}',
    fields: {
      label: { type: 'text', default: 'New', pattern: '^[A-Z]' },
      stage: { type: 'select', options: [{ value: 'won', tone: 'good' }], choices: { label: 'Won' } },
      doubled: { type: 'text', computed: '{label} {label}' },
    },
    list: { columns: ['label'], sort: '-label', tabs: [{ name: 'won', filter: { stage: 'won' } }] },
    rules: [{ levels: [4], action: 'list', where: { label: 'Won' } }],
  });
});
