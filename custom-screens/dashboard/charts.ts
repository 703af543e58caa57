import { type ChartData, type ChartPosition, doughnutColours, priorityColour } from '../../src/app/charts/chartData';
import type { PriorityCounts, DashboardFigures, StatusCount, TaskStatusCounts } from './figures';
import { barLinks, listLinks } from './links';
import { itemAt } from '../../src/engine/values/lookups';

/** A chart, and the address of the list that each of its bars links to. */
export interface LinkedChart {
  readonly data: ChartData;
  readonly urlOf: (position: ChartPosition) => string | undefined;
}

const optionNames = (options: readonly { option_name: string }[]) => options.map(({ option_name }) => option_name);

/** Projects by status. */
export function projectsChart(states: readonly StatusCount[]): LinkedChart {
  const values = states.map(({ count }) => count);
  return {
    data: {
      labels: optionNames(states),
      series: [{ key: 'count', label: 'Projects by status', values, colour: 'accent' }],
    },
    urlOf: ({ label }) => barLinks.projects(itemAt(states, label).id),
  };
}

const outcomes = [
  { key: 'passed', label: 'Passed', colour: 'low' },
  { key: 'failed', label: 'Failed', colour: 'urgent' },
] as const;

/** Passed and failed test cases by priority. */
export function testCasesChart(priorities: readonly PriorityCounts[]): LinkedChart {
  const series = outcomes.map((outcome) => ({
    ...outcome,
    values: priorities.map((priority) => priority[outcome.key]),
  }));
  return {
    data: { labels: optionNames(priorities), series },
    urlOf: ({ label, series }) => barLinks.testCases(itemAt(priorities, label).id, itemAt(outcomes, series).key),
  };
}

/** Tasks by status, divided by priority. */
export function tasksChart(states: readonly TaskStatusCounts[]): LinkedChart {
  const priorities = states[0]?.priorities ?? [];
  const series = priorities.map(({ id, option_name }, index) => ({
    key: String(id),
    label: option_name,
    values: states.map((state) => itemAt(state.priorities, index).count),
    colour: id === null ? 'control' : priorityColour(index),
  }));
  return {
    data: { labels: optionNames(states), series },
    urlOf: ({ label, series }) => barLinks.tasks(itemAt(states, label).id, itemAt(priorities, series).id),
  };
}

/** Open tasks and open test cases; only those that the user may see. */
export function workloadChart({ open_tasks, open_test_cases }: NonNullable<DashboardFigures['workload']>): LinkedChart {
  const parts = [
    { label: 'Open tasks', value: open_tasks, colour: doughnutColours[0], to: listLinks.tasks.open() },
    {
      label: 'Open test cases',
      value: open_test_cases,
      colour: doughnutColours[1],
      to: listLinks['test-cases'].open(),
    },
  ].flatMap(({ value, ...part }) => (value === undefined ? [] : [{ ...part, value }]));
  return {
    data: {
      labels: parts.map(({ label }) => label),
      series: [
        {
          key: 'open',
          label: 'Open',
          values: parts.map(({ value }) => value),
          colour: parts.map(({ colour }) => colour),
        },
      ],
    },
    urlOf: ({ label }) => itemAt(parts, label).to,
  };
}
