import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Actor } from '../../src/engine/access/actor';
import { chartsFor } from '../../src/engine/lists/charts';
import { readableColumns, sortFields } from '../../src/engine/lists/columns';
import { columnFilters } from '../../src/engine/lists/filter-inputs';
import { groupChoices, groupTitle, placeGroups, totalsOf, totalText } from '../../src/engine/lists/group-rows';
import { groupingOf, groupQuery } from '../../src/engine/lists/grouping';
import { formatListState, parseListState } from '../../src/engine/lists/list-state';
import { changesOfView, openView, viewSettingsOf } from '../../src/engine/lists/saved-views';
import { removeField, renameField } from '../../src/engine/studio/fields';
import { definition, source } from './support/definitions';

const written = {
  fields: {
    name: { required: true },
    owner_id: { type: 'relation' as const, to: 'things', embed: 'owner', label: 'Owner' },
    state: {
      type: 'select' as const,
      options: [
        { value: 'a,b', label: 'Both' },
        { value: 'c%2C', label: 'C' },
      ],
    },
    kinds: { type: 'select' as const, multiple: true, options: [{ value: 'x', label: 'X' }] },
    is_done: { type: 'boolean' as const },
    due_on: { type: 'date' as const, emptyText: 'Unplanned' },
    amount: { type: 'number' as const, decimal: true, digits: 2 },
    pay: { type: 'number' as const },
    currency: {},
    price: { type: 'money' as const, currency: 'currency' },
  },
  list: { group: { field: 'state' }, totals: { amount: 'sum' as const } },
  rules: [{ action: 'list' as const, levels: [5 as const], exceptFields: ['pay', 'owner_id'] }],
};
const things = definition(written);
const plain = definition({ ...written, list: {} });
const actor = (level: 3 | 5): Actor => ({
  id: 7,
  role_id: level,
  level,
  site_id: 1,
  permissions: { things: ['list'] },
});
const read = (query: string, of = things) => parseListState(new URLSearchParams(query), of);
const write = (query: string, of = things) => new URLSearchParams(formatListState(read(query, of), of)).toString();

test('a field that is readable on some records alone is neither grouped by, added up, charted, sorted by nor filtered by', () => {
  const partly = definition({
    ...written,
    list: {
      group: { field: 'owner_id' },
      totals: { pay: 'sum' as const, amount: 'sum' as const },
      charts: [
        { name: 'a', label: 'A', kind: 'bar' as const, group: 'owner_id' },
        { name: 'b', label: 'B', kind: 'bar' as const, group: 'state' },
      ],
    },
    rules: [
      { action: 'list' as const, levels: [5 as const], where: { is_done: true } },
      { action: 'list' as const, levels: [5 as const], exceptFields: ['pay', 'owner_id'] },
    ],
  });
  expect(readableColumns(partly, actor(5)).map(({ field }) => field)).toContain('pay');
  expect(totalsOf({}, partly, actor(5))).toEqual({ amount: 'sum' });
  expect(groupingOf({}, partly, actor(5))).toBeUndefined();
  expect(groupChoices(partly, actor(5)).map(({ field }) => field)).not.toContain('owner_id');
  expect(chartsFor(partly, actor(5)).map(({ name }) => name)).toEqual(['b']);
  expect(sortFields(partly, actor(5))).not.toContain('pay');
  const registry = { get: () => undefined } as never;
  const filters = columnFilters(partly, registry, actor(5), readableColumns(partly, actor(5)), null);
  expect([filters.has('amount'), filters.has('pay')]).toEqual([true, false]);
  expect(totalsOf({}, partly, actor(3))).toEqual({ pay: 'sum', amount: 'sum' });
});

describe('the grouping in the address of a list', () => {
  test.each([
    ['', ''],
    ['group=state', ''],
    ['group=owner_id', 'group=owner_id'],
    ['group=-', 'group=-'],
    ['group=due_on%3Amonth', 'group=due_on%3Amonth'],
    ['group=due_on', ''],
    ['group=name', ''],
    ['group=kinds', ''],
    ['group=__proto__', ''],
    ['totals=amount%3Aavg', 'totals=amount%3Aavg'],
    ['totals=-', 'totals=-'],
  ])('%j is kept as %j', (query, kept) => {
    expect(write(query)).toBe(kept);
  });

  test('has the closed groups, for all characters in their values', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1 }), (closed) => {
        const text = new URLSearchParams(formatListState({ ...read(''), closed }, things)).toString();
        expect(read(text).closed).toEqual(closed);
      }),
    );
  });

  test('requests the groups by field, in the direction of the order', () => {
    const grouping = groupingOf({ group: 'owner_id' }, things, actor(3))!;
    const sort = { field: 'owner_id', order: 'DESC' as const };
    expect(decodeURIComponent(groupQuery({ sort, closed: ['3', ''] }, grouping))).toBe(
      '&group_by=-owner_id&closed_groups=["3",null]',
    );
    expect(groupQuery({ sort: { ...sort, field: 'name' } }, grouping)).toBe('&group_by=owner_id');
  });
});

test('a field that a person may not see groups nothing and has no total', () => {
  expect(groupingOf({ group: 'owner_id' }, things, actor(3))?.field).toBe('owner_id');
  expect(groupingOf({ group: 'owner_id' }, things, actor(5))).toBeUndefined();
  expect(totalsOf({ totals: { pay: 'sum', amount: 'max' } }, things, actor(5))).toEqual({ amount: 'max' });
  expect(totalsOf({ totals: { pay: 'sum', name: 'sum', amount: 'all' as 'sum' } }, things, actor(3))).toEqual({
    pay: 'sum',
  });
  expect(groupChoices(plain, actor(5)).map(({ field }) => field)).toEqual(['state', 'is_done', 'due_on']);
  expect(groupChoices(plain, actor(3)).map(({ field }) => field)).toEqual(['owner_id', 'state', 'is_done', 'due_on']);
});

test('a saved view has grouping, closed groups, totals and rows a page, and reports their changes', () => {
  const state = read('group=owner_id&closed=3,&totals=amount%3Amax&rows=30');
  const settings = viewSettingsOf(state);
  expect(settings).toMatchObject({ group: 'owner_id', closed: ['3', ''], totals: { amount: 'max' } });
  const { state: opened, missing } = openView('12', settings, things, actor(3));
  expect(missing).toEqual([]);
  expect(opened).toMatchObject({ group: 'owner_id', closed: ['3', ''], totals: { amount: 'max' } });
  expect(changesOfView({ ...state, saved: '12' }, opened)).toEqual([]);
  expect(opened.rows).toBe(30);
  expect(changesOfView({ ...opened, rows: 50 }, opened)).toEqual(['rows a page']);
  expect(changesOfView({ ...opened, closed: ['3'] }, opened)).toEqual(['grouping']);
  expect(changesOfView({ ...opened, group: null, totals: {} }, opened)).toEqual(['grouping', 'totals']);
  const hidden = openView('12', { ...settings, totals: { pay: 'sum' } }, things, actor(5));
  expect(hidden.missing).toEqual(['owner_id', 'pay']);
  expect([hidden.state.group, hidden.state.totals]).toEqual([undefined, {}]);
  expect(openView('12', { group: null }, things, actor(3)).state.group).toBeNull();
});

test('headings of groups name their group', () => {
  const title = (
    name: string,
    key: string,
    unit?: 'day' | 'week' | 'month' | 'quarter' | 'year',
    text: string | null = null,
  ) =>
    groupTitle({ key, value: key || null, title: text }, { field: name, ...(unit && { unit }) }, things.fields[name]!);
  expect(title('state', 'a,b')).toBe('Both');
  expect(title('state', 'gone')).toBe('gone');
  expect(title('owner_id', '3', undefined, 'Ada')).toBe('Ada');
  expect(title('owner_id', '3')).toBe('#3');
  expect(title('owner_id', '')).toBe('No owner');
  expect(title('due_on', '', 'week')).toBe('Unplanned');
  expect(title('due_on', '2026-11-23', 'week')).toBe('Week of 23-Nov-2026');
  expect(title('due_on', '2026-11-01', 'month')).toBe('November 2026');
  expect(title('due_on', '2026-10-01', 'quarter')).toBe('Q4 2026');
  expect(title('due_on', '2026-01-01', 'year')).toBe('2026');
});

test('totals are written as their columns are; currencies stay apart', () => {
  const { amount, price } = things.fields;
  expect(totalText({ sum: { amount: 1234.5 } }, amount!, 'sum')).toBe(
    amount && totalText({ max: { amount: 1234.5 } }, amount, 'max'),
  );
  expect(totalText({ avg: { amount: 1 / 3 } }, amount!, 'avg')).toBe('0.33');
  expect(totalText({ counts: { amount: 1200 } }, amount!, 'count')).toBe('1,200');
  expect(totalText({ sum: { amount: null } }, amount!, 'sum')).toBe('');
  expect(totalText({ sum: { price: { EUR: 20, USD: 5, '': 1 } } }, price!, 'sum')).toBe('€20.00 + $5.00 + 1.00');
});

test('a group that was just closed hides its records before the next page is loaded', () => {
  const group = (key: string, count: number) => ({ key, value: key, title: null, count, figures: {} });
  const records = ['a1', 'a2', 'b1'];
  const groups = [group('a', 2), group('b', 1)];
  const place = (closed: string[]) =>
    placeGroups({ groups, records, keyOf: (one) => one[0]!, closed, start: 0, isLast: true }).map(
      (row) => row.group?.key ?? row.record,
    );
  expect(place([])).toEqual(['a', 'a1', 'a2', 'b', 'b1']);
  expect(place(['a'])).toEqual(['a', 'b', 'b1']);
  expect(place(['a', 'b'])).toEqual(['a', 'b']);
  // A record of a group that is not counted yet has a heading too.
  expect(
    placeGroups({ groups: [groups[0]!], records, keyOf: (one) => one[0]!, closed: [], start: 0, isLast: true }).map(
      (row) => row.group?.key ?? row.record,
    ),
  ).toEqual(['a', 'a1', 'a2', 'b', 'b1']);
});

test('renaming and removing a field changes grouping, totals and views with it', () => {
  const whole = source({
    ...written,
    list: {
      group: { field: 'due_on:month', fields: ['due_on', 'state'] },
      totals: { amount: 'sum' },
      saved: [{ name: 'late', label: 'Late', group: 'due_on:week' }],
    },
  });
  const { list } = renameField(renameField(whole, 'due_on', 'ends_on', whole), 'amount', 'total', whole);
  expect(list).toMatchObject({
    group: { field: 'ends_on:month', fields: ['ends_on', 'state'] },
    totals: { total: 'sum' },
    saved: [{ group: 'ends_on:week' }],
  });
  const left = removeField(removeField(whole, 'due_on').source, 'amount').source.list!;
  expect([left.group, left.totals, left.saved]).toEqual([
    { fields: ['state'] },
    undefined,
    [{ name: 'late', label: 'Late' }],
  ]);
});
