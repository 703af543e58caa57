// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Definition } from '../../../src/engine/definitions/definition';
import { chartFigures, chartFilters, chartQuery, type CountedGroup } from '../../../src/engine/lists/charts';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

// Charts of a definition: figures of the records that the caller may list, within the filters of the list.

type Row = Record<string, unknown> & { id: number };

let program: DemoProgram;
let shots: Definition;
const callers: Record<string, Client> = {};
const names = Object.keys(accounts) as (keyof typeof accounts)[];

beforeAll(async () => {
  program = await startFixtureProgram();
  shots = program.program.definitions.registry().getOrThrow('shots');
  for (const name of names) callers[name] = await program.signIn(accounts[name]);
});
afterAll(() => program?.close());

const registry = () => program.program.definitions.registry();
const chartOf = (name: string) => shots.list.charts.find((chart) => chart.name === name)!;

async function figuresOf(caller: string, name: string, filter: Record<string, unknown> = {}) {
  const chart = chartOf(name);
  const path = `/shots/aggregate?${new URLSearchParams(chartQuery(chart, filter)).toString()}`;
  const { status, body } = await callers[caller]!<{ data: CountedGroup[] }>('GET', path);
  expect(status, JSON.stringify(body)).toBe(200);
  return chartFigures(shots, chart, body.data, registry());
}

async function rowsOf(caller: string, filter: Record<string, unknown> = {}): Promise<readonly Row[]> {
  const query = new URLSearchParams({ filter: JSON.stringify(filter), range: '[0,9999]' });
  const { status, body } = await callers[caller]!<{ data: Row[] }>('GET', `/shots?${query.toString()}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

const count = (rows: readonly Row[], test: (row: Row) => boolean) => rows.filter(test).length;

describe.each(names)('as %s', (caller) => {
  test.each([{}, { status_id: [1, 2] }, { is_late: true }, { q: 'a' }])(
    'figures are those of the list filtered by %j',
    async (filter) => {
      const rows = await rowsOf(caller, filter);
      const status = await figuresOf(caller, 'by-status', filter);
      expect(status.series[0]!.values).toEqual(
        status.labels.map(({ value }) => count(rows, (row) => (row.status_id ?? null) === value)),
      );
      expect(status.series[0]!.values.reduce((one, other) => one + other, 0)).toBe(rows.length);

      const people = await figuresOf(caller, 'by-operator', filter);
      for (const series of people.series)
        expect(series.values).toEqual(
          people.labels.map(({ value }) =>
            count(rows, (row) => (row.operator_id ?? null) === value && (row.urgency_id ?? null) === series.value),
          ),
        );

      const hours = await figuresOf(caller, 'hours', filter);
      hours.labels.forEach(({ value }, index) => {
        const own = rows.filter((row) => (row.film_id ?? null) === value);
        const sum = own.reduce((all, row) => all + Number(row.planned_hours ?? 0), 0);
        expect(hours.series[0]!.values[index]).toBeCloseTo(sum, 6);
      });

      const late = await figuresOf(caller, 'late', filter);
      expect(late.series[0]!.values).toEqual([count(rows, (row) => row.is_late === true)]);
    },
  );

  test('months without records are 0, in their order, and each figure links to its records', async () => {
    const rows = await rowsOf(caller);
    const chart = chartOf('starts');
    const { labels, series } = await figuresOf(caller, 'starts');
    const months = labels.flatMap(({ value }) => (value === null ? [] : [String(value)]));
    expect(months).toEqual([...months].sort());
    expect(new Set(months).size).toBe(months.length);
    for (const [index, label] of labels.entries()) {
      const filters = chartFilters(shots, chart, label);
      const monthOf = (row: Row) => (row.starts_on ? `${String(row.starts_on).slice(0, 7)}-01` : null);
      const expected = count(rows, (row) => monthOf(row) === label.value);
      expect(series[0]!.values[index]).toBe(expected);
      if (label.value === null) expect(filters).toBeUndefined();
      else if (expected > 0) expect((await rowsOf(caller, filters)).length).toBe(expected);
    }
  });
});

test('another company is counted nowhere', async () => {
  const own = await figuresOf('owner', 'by-operator');
  const theirs = await figuresOf('harbour', 'by-operator');
  const idsOf = ({ labels }: typeof own) => labels.flatMap(({ value }) => (value === null ? [] : [value]));
  expect(idsOf(own).filter((id) => idsOf(theirs).includes(id))).toEqual([]);
});

test('a chart of a module that one may not list is refused', async () => {
  const restricted = await program.restricted();
  await restricted.grant(['studios.list']);
  const query = new URLSearchParams(chartQuery(chartOf('by-status'))).toString();
  const { status, body } = await restricted.call<{ code: string }>('GET', `/shots/aggregate?${query}`);
  expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
});
