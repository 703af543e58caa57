import { describe, expect, it } from 'vitest';
import { countBlocks } from '../../../custom-screens/dashboard/blocks';
import { monthSpan } from '../../../custom-screens/dashboard/ViewMenu';
import { projectsChart, tasksChart, testCasesChart, workloadChart } from '../../../custom-screens/dashboard/charts';
import { doughnutHeight } from '../../../custom-screens/dashboard/Workload';
import type { DashboardFigures } from '../../../custom-screens/dashboard/figures';
import { barLinks, listLinks } from '../../../custom-screens/dashboard/links';
import { barDatasets, ringCutout, ringDataset } from '../../../src/app/charts/canvas';
import { priorityColour } from '../../../src/app/charts/chartData';
import { colour, type ColourName } from '../../../src/app/theme/tokens';
import { createRegistry } from '../../../src/engine/registry/registry';
import { parseListState } from '../../../src/engine/lists/list-state';
import { shippedDefinitions } from '../../support/definitions';

const registry = createRegistry(shippedDefinitions());
const reader = { id: 7, level: 3, today: '2026-11-21', mayList: () => true };
const query = (address: string) => new URLSearchParams(address.split('?')[1]);

/** What the list that an address opens understands of it. */
function filtersOf(address: string) {
  const definition = registry.getOrThrow(address.slice(1).split('?')[0]!);
  return parseListState(query(address), definition).filters;
}

const figures: DashboardFigures = {
  test_cases: { total: 9, passed: 4, failed: 0, recently_updated: 3, assigned_to_me: 2, by_priority: [] },
  tasks: {
    open: 5,
    completed: 3,
    recently_updated: 2,
    upcoming_deadlines: 1,
    assigned_to_me: 0,
    recently_created: 8,
    recently_completed: 6,
    by_status: [],
  },
};

describe('the links of the dashboard', () => {
  it('are understood by their lists completely', () => {
    const addresses = Object.values(listLinks).flatMap((all) => Object.values(all).map((to) => to(reader)));
    const more = [barLinks.projects(2), barLinks.testCases(1, 'failed'), barLinks.tasks(3, 4)].map((one) => one!);
    for (const address of [...addresses, ...more]) {
      const asked = [...query(address).keys()].filter((key) => key !== 'page' && key !== 'tab');
      expect(Object.keys(filtersOf(address)), address).toEqual(asked);
    }
  });

  it('define recent and upcoming by the days of the reader', () => {
    expect(filtersOf(listLinks.tasks.recently_created(reader))).toEqual({ created_at_from: '2026-11-15' });
    expect(filtersOf(listLinks.tasks.upcoming_deadlines(reader))).toEqual({
      status_id: [1, 2],
      end_date_from: '2026-11-21',
    });
    expect(filtersOf(listLinks.projects.upcoming_deadlines({ ...reader, today: '2026-12-28' }))).toEqual({
      project_status_id: [1, 2],
      end_date_from: '2026-12-28',
      end_date_to: '2027-01-04',
    });
    expect(filtersOf(listLinks['test-cases'].assigned_to_me(reader))).toEqual({ assigned_to: 7 });
  });
});

describe('the counts of the dashboard', () => {
  const labels = (level: number, known?: DashboardFigures) =>
    countBlocks(known, { ...reader, level }).map(({ title, cells }) => [title, ...cells.map(({ label }) => label)]);

  it('have their places before they are known, by level', () => {
    const [projects, testCases, tasks] = labels(3);
    expect(projects).toEqual(['Projects', 'Total Active', 'Recently Updated', 'Upcoming Deadlines']);
    expect(testCases).toEqual([
      'Test Cases',
      'Total',
      'Passed',
      'Failed',
      'Recently Updated',
      'Assigned to me',
      'Recently Created / Completed',
    ]);
    expect(tasks).toEqual([
      'Tasks',
      'Open',
      'Completed',
      'Recently Updated',
      'Upcoming Deadlines',
      'Assigned to me',
      'Recently Created / Completed',
    ]);
    expect(labels(2).map((block) => block.length)).toEqual([4, 6, 6]);
    expect(labels(1).map((block) => block.length)).toEqual([3, 5, 5]);
    expect(labels(4).map((block) => block.length)).toEqual([3, 7, 7]);
  });

  it('are exactly those of the answer', () => {
    const blocks = countBlocks(figures, reader);
    expect(blocks.map(({ title }) => title)).toEqual(['Test Cases', 'Tasks']);
    expect(blocks[0]!.cells.map(({ count }) => count)).toEqual(['9', '4', '0', '3', '2']);
    expect(blocks[1]!.cells.at(-1)).toMatchObject({ label: 'Recently Created / Completed', count: '8 / 6' });
  });
});

describe('the charts of the dashboard', () => {
  const priorities = (counts: number[]) =>
    ['Urgent', 'High', 'Medium', 'Low'].map((option_name, index) => ({
      id: index + 1,
      option_name,
      count: counts[index]!,
    }));

  it('stack tasks by priority in its colours and lead to the tasks that a bar counts', () => {
    const { data, urlOf } = tasksChart([
      { id: 1, option_name: 'Not Started', priorities: priorities([1, 2, 3, 4]) },
      { id: 3, option_name: 'Completed', priorities: priorities([5, 6, 7, 8]) },
    ]);
    expect(data.labels).toEqual(['Not Started', 'Completed']);
    expect(data.series.map(({ label, values, colour }) => [label, values, colour])).toEqual([
      ['Urgent', [1, 5], 'urgent'],
      ['High', [2, 6], 'high'],
      ['Medium', [3, 7], 'medium'],
      ['Low', [4, 8], 'low'],
    ]);
    expect(filtersOf(urlOf({ label: 1, series: 0 })!)).toEqual({ status_id: 3, priority_id: 1 });
  });

  it('put passed beside failed test cases, and know no list for those without a priority', () => {
    const { data, urlOf } = testCasesChart([
      { id: 2, option_name: 'High', passed: 4, failed: 1 },
      { id: null, option_name: 'None', passed: 0, failed: 2 },
    ]);
    expect(data.series.map(({ label, values }) => [label, values])).toEqual([
      ['Passed', [4, 0]],
      ['Failed', [1, 2]],
    ]);
    expect(filtersOf(urlOf({ label: 0, series: 1 })!)).toEqual({ priority_id: 2, result_id: 2 });
    expect(urlOf({ label: 1, series: 1 })).toBeUndefined();
  });

  it('lead from projects and from the workload to their lists', () => {
    const { urlOf } = projectsChart([{ id: 4, option_name: 'Cancelled', count: 2 }]);
    expect(filtersOf(urlOf({ label: 0, series: 0 })!)).toEqual({ project_status_id: 4 });
    const alone = workloadChart({ open_test_cases: 3 });
    expect(alone.data.labels).toEqual(['Open test cases']);
    expect(alone.urlOf({ label: 0, series: 0 })).toBe('/test-cases?tab=open');
  });
});

it('the doughnut follows the width of the window from 110 up to 260', () => {
  expect([320, 1440, 4000].map(doughnutHeight)).toEqual([110, 192, 260]);
});

it('a month shows six weeks from Monday on', () => {
  expect(monthSpan('2026-11-21')).toEqual({ firstDay: '2026-10-26', lastDay: '2026-12-06' });
  expect(monthSpan('2027-02-01')).toEqual({ firstDay: '2027-02-01', lastDay: '2027-03-14' });
  expect(monthSpan('2026-03-01')).toEqual({ firstDay: '2026-02-23', lastDay: '2026-04-05' });
});

describe('how charts are drawn', () => {
  const paint = (name: string) => name;
  const light = (name: string) => colour(name as ColourName, 'light');
  const stacks = {
    labels: ['Open', 'Done'],
    series: ['Urgent', 'High', 'Medium', 'Low', 'None'].map((label, index) => ({
      key: label,
      label,
      values: [1, 2],
      colour: priorityColour(index),
    })),
  };

  it('bars are stacked with a thickness of 0.4, in the colours of the priorities', () => {
    for (const horizontal of [false, true]) {
      const drawn = barDatasets(stacks, { stacked: true, horizontal }, paint);
      expect(drawn.map(({ backgroundColor }) => backgroundColor[0])).toEqual([
        'urgent',
        'high',
        'medium',
        'low',
        'control',
      ]);
      for (const set of drawn) expect(set).toMatchObject({ categoryPercentage: 1, barPercentage: 0.4 });
      for (const set of drawn) expect(set).not.toHaveProperty('maxBarThickness');
    }
    // Red, orange, yellow, green.
    expect((['urgent', 'high', 'medium', 'low'] as const).map((name) => light(name))).toEqual([
      '#E5484D',
      '#F2820D',
      '#E5B100',
      '#2E9E5B',
    ]);
  });

  it('passed is green and failed red, as everywhere', () => {
    const { data } = testCasesChart([{ id: 1, option_name: 'Urgent', passed: 3, failed: 1 }]);
    const used = barDatasets(data, { stacked: true, horizontal: false }, light);
    expect(used.map(({ backgroundColor }) => backgroundColor[0]?.toUpperCase())).toEqual(['#2E9E5B', '#E5484D']);
  });

  it('a doughnut has a hole of 70 %, its two colours, and no border', () => {
    const { data } = workloadChart({ open_tasks: 3, open_test_cases: 4 });
    expect(ringCutout).toBe('70%');
    const drawn = ringDataset(data, paint);
    expect(drawn.backgroundColor.map((one) => one.toUpperCase())).toEqual(['#046BB5', '#DBEDFF']);
    expect(drawn).toMatchObject({ borderWidth: 0, hoverOffset: 4, data: [3, 4] });
    const plain = { labels: ['a', 'b', 'c'], series: [{ key: 'n', label: 'n', values: [1, 2, 3], colour: 'accent' }] };
    expect(ringDataset(plain, paint).backgroundColor).toEqual(['#046bb5', '#dbedff', '#046bb5']);
  });
});
