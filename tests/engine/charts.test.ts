import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Definition } from '../../src/engine/definitions/definition';
import { chartFigures, chartFilters, chartQuery, chartsFor, type CountedGroup } from '../../src/engine/lists/charts';
import { removeField, renameField } from '../../src/engine/studio/fields';
import { readSources, source } from './support/definitions';

// Charts of a list: what is refused, what is asked of the server, and the figures that its groups make.

const states = [
  { value: 'open', label: 'Open', tone: 'info' as const },
  { value: 'done', label: 'Done', tone: 'low' as const },
];
const fields = {
  name: { required: true },
  state: { type: 'select' as const, options: states },
  marks: { type: 'select' as const, options: states, multiple: true },
  due: { type: 'date' as const },
  hours: { type: 'number' as const },
  paid: { type: 'boolean' as const },
  story: { type: 'richText' as const },
  salary: { type: 'number' as const },
  secret_code: { secret: true },
};
type Charts = NonNullable<NonNullable<NonNullable<Parameters<typeof source>[0]>['list']>['charts']>;

const read = (...charts: object[]) => readSources(source({ fields, list: { charts: charts as Charts } }));
const problemsOf = (chart: object) => read({ name: 'one', label: 'One', ...chart }).problems;
function definitionWith(chart: object): Definition {
  const { definitions, problems } = read({ name: 'one', label: 'One', ...chart });
  expect(problems).toEqual([]);
  return definitions.find(({ name }) => name === 'things')!;
}

describe('an invalid chart of a list is reported with its place', () => {
  test.each<[object, string, RegExp]>([
    [{ kind: 'bar' }, '/list/charts/0', /needs a "group"/],
    [{ kind: 'pie', group: 'state' }, '/list/charts/0/kind', /bar/],
    [{ kind: 'bar', group: 'staet' }, '/list/charts/0/group', /state/],
    [{ kind: 'bar', group: 'story' }, '/list/charts/0/group', /cannot be grouped/],
    [{ kind: 'bar', group: 'marks' }, '/list/charts/0/group', /one value/],
    [{ kind: 'bar', group: 'secret_code' }, '/list/charts/0/group', /secret/],
    [{ kind: 'number', group: 'state' }, '/list/charts/0/group', /all records/],
    [{ kind: 'number', step: 'day' }, '/list/charts/0/step', /no periods/],
    [{ kind: 'bar', group: 'state', step: 'day' }, '/list/charts/0/step', /no periods/],
    [{ kind: 'bar', group: 'state', series: 'state' }, '/list/charts/0/series', /the group already/],
    [{ kind: 'bar', group: 'state', series: 'due' }, '/list/charts/0/series', /dates/],
    [{ kind: 'doughnut', group: 'state', series: 'paid' }, '/list/charts/0/series', /one series/],
    [{ kind: 'doughnut', group: 'state', avg: 'hours' }, '/list/charts/0/avg', /no parts of a whole/],
    [{ kind: 'bar', group: 'state', sum: 'name' }, '/list/charts/0/sum', /added up/],
    [{ kind: 'bar', group: 'state', sum: 'hours', avg: 'hours' }, '/list/charts/0/avg', /leave one of them out/],
    [{ kind: 'number', where: { nam: 'x' } }, '/list/charts/0/where', /name/],
    [{ kind: 'number', where: { name: '$record.name' } }, '/list/charts/0/where', /many records/],
  ])('%j', (chart, path, words) => {
    const problems = problemsOf(chart);
    expect(problems.map((problem) => problem.path)).toContain(path);
    expect(problems.map(({ message }) => message).join('\n')).toMatch(words);
  });

  test('if another chart has its name', () => {
    const { problems } = read({ name: 'a', label: 'A', kind: 'number' }, { name: 'a', label: 'B', kind: 'number' });
    expect(problems).toMatchObject([{ path: '/list/charts/1/name', message: 'The chart "a" is duplicated.' }]);
  });
});

test('dates are grouped by months unless a chart says otherwise', () => {
  const [months] = definitionWith({ kind: 'line', group: 'due' }).list.charts;
  expect(chartQuery(months!)).toEqual({ group: 'due:month', take: 'count' });
  const [weeks] = definitionWith({ kind: 'line', group: 'due', step: 'week', series: 'state', avg: 'hours' }).list
    .charts;
  expect(chartQuery(weeks!, { paid: true })).toEqual({
    group: 'due:week,state',
    take: 'avg:hours',
    filter: '{"paid":true}',
  });
});

test('a chart of a field that somebody may not read is not shown', () => {
  const { definitions } = readSources(
    source({
      fields,
      list: {
        charts: [
          { name: 'a', label: 'A', kind: 'bar', group: 'state', sum: 'salary' },
          { name: 'b', label: 'B', kind: 'number', where: { salary: { $gt: 3 } } },
          { name: 'c', label: 'C', kind: 'number' },
        ],
      },
      rules: [{ levels: [4], action: 'list', exceptFields: ['salary'] }],
    }),
  );
  const things = definitions.find(({ name }) => name === 'things')!;
  const actor = (level: 2 | 4) => ({ id: 1, level, role: 'x', role_id: 1, site_id: 1, permissions: ['things.list'] });
  expect(chartsFor(things, actor(4) as never).map(({ name }) => name)).toEqual(['c']);
  expect(chartsFor(things, actor(2) as never).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
});

const value = fc.constantFrom('open', 'done', null);
const row = fc.record({
  state: value,
  paid: fc.constantFrom(true, false, null),
  hours: fc.integer({ min: 0, max: 99 }),
});
type Row = { state: string | null; paid: boolean | null; hours: number };

test('a chart has the figures of a plain count, options in their order and empty values last', () => {
  const things = definitionWith({ kind: 'bar', group: 'state', series: 'paid', sum: 'hours' });
  const [chart] = things.list.charts;
  const registry = { get: () => undefined } as never;
  fc.assert(
    fc.property(fc.array(row, { maxLength: 30 }), (rows: Row[]) => {
      const sums = new Map<string, number>();
      for (const { state, paid, hours } of rows) {
        const key = JSON.stringify([state, paid]);
        sums.set(key, (sums.get(key) ?? 0) + hours);
      }
      const groups: CountedGroup[] = [...sums].map(([key, sum]) => {
        const [state, paid] = JSON.parse(key) as [unknown, unknown];
        return { group: { state, paid }, titles: {}, sum: { hours: sum } };
      });
      const { labels, series } = chartFigures(things, chart!, groups, registry);
      const order = ['open', 'done', null];
      expect(labels.map((label) => label.value)).toEqual(
        order.filter((one) => rows.some(({ state }) => state === one)),
      );
      for (const one of series)
        labels.forEach((label, index) => {
          const own = rows.filter(({ state, paid }) => state === label.value && paid === one.value);
          expect(one.values[index]).toBe(own.reduce((all, { hours }) => all + hours, 0));
        });
    }),
  );
});

test('a chart has each month, week or day between the first and the last once', () => {
  const registry = { get: () => undefined } as never;
  for (const [step, days, expected] of [
    ['month', ['2025-11-01', '2026-02-01'], ['Nov 2025', 'Dec 2025', 'Jan 2026', 'Feb 2026']],
    ['week', ['2026-02-23', '2026-03-09'], ['Week of 23-Feb-2026', 'Week of 02-Mar-2026', 'Week of 09-Mar-2026']],
    ['day', ['2028-02-28', '2028-03-01'], ['28-Feb-2028', '29-Feb-2028', '01-Mar-2028']],
  ] as const) {
    const things = definitionWith({ kind: 'line', group: 'due', step });
    const [chart] = things.list.charts;
    const groups = days.map((day) => ({ group: { [`due:${step}`]: day }, count: 2 }));
    const { labels, series } = chartFigures(things, chart!, groups, registry);
    expect(labels.map(({ label }) => label)).toEqual(expected);
    expect(series[0]!.values).toEqual(
      expected.map((_, index) => (index === 0 || index === expected.length - 1 ? 2 : 0)),
    );
    const last = chartFilters(things, chart!, labels.at(-1)!);
    expect(last).toEqual({
      due_from: days[1],
      due_to: { month: '2026-02-28', week: '2026-03-15', day: '2028-03-01' }[step],
    });
  }
});

test('a renamed field is renamed in charts; a chart that lost one is removed', () => {
  const list = {
    charts: [
      { name: 'a', label: 'A', kind: 'bar', group: 'state', sum: 'hours', where: { paid: true } },
      { name: 'b', label: 'B', kind: 'line', group: 'due', series: 'state' },
    ] as Charts,
  };
  const things = source({ fields, list });
  const renamed = (name: string, next: string) => renameField(things, name, next).list!.charts!;
  expect(renamed('paid', 'settled')[0]!.where).toEqual({ settled: true });
  expect(renamed('state', 'phase').map(({ group, series }) => [group, series])).toEqual([
    ['phase', undefined],
    ['due', 'phase'],
  ]);
  expect(removeField(things, 'hours').source.list!.charts!.map(({ name }) => name)).toEqual(['b']);
});
