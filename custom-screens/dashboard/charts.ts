import type { ChartData, Picked } from '../../src/app/charts/chartData';
import { doughnutColours, priorityColour } from '../../src/app/charts/colours';
import type { CheckedPriority, DashboardFigures, ProjectState, TaskState } from './figures';
import { bars, lists } from './links';

/** A chart, and the address of the list that each of its bars links to. */
export interface LinkedChart {
  readonly data: ChartData;
  readonly to: (picked: Picked) => string | undefined;
}

const namesOf = (options: readonly { option_name: string }[]) => options.map(({ option_name }) => option_name);

/** Projects by status. */
export function projectsChart(states: readonly ProjectState[]): LinkedChart {
  const values = states.map(({ count }) => count);
  return {
    data: {
      labels: namesOf(states),
      series: [{ key: 'count', label: 'Projects by status', values, colour: 'accent' }],
    },
    to: ({ label }) => bars.projects(states[label]!.id),
  };
}

const outcomes = [
  { key: 'passed', label: 'Passed', colour: 'accent' },
  { key: 'failed', label: 'Failed', colour: 'blue-3' },
] as const;

/** Passed and failed test cases by priority. */
export function testCasesChart(priorities: readonly CheckedPriority[]): LinkedChart {
  const series = outcomes.map((outcome) => ({ ...outcome, values: priorities.map((one) => one[outcome.key]) }));
  return {
    data: { labels: namesOf(priorities), series },
    to: ({ label, series }) => bars.testCases(priorities[label]!.id, outcomes[series]!.key),
  };
}

/** Tasks by status, divided by priority. */
export function tasksChart(states: readonly TaskState[]): LinkedChart {
  const priorities = states[0]?.priorities ?? [];
  const series = priorities.map(({ id, option_name }, index) => ({
    key: String(id),
    label: option_name,
    values: states.map((state) => state.priorities[index]!.count),
    colour: id === null ? 'control' : priorityColour(index),
  }));
  return {
    data: { labels: namesOf(states), series },
    to: ({ label, series }) => bars.tasks(states[label]!.id, priorities[series]!.id),
  };
}

/** Open tasks and open test cases; only those that the user may see. */
export function workloadChart({ open_tasks, open_test_cases }: NonNullable<DashboardFigures['workload']>): LinkedChart {
  const parts = [
    { label: 'Open tasks', value: open_tasks, colour: doughnutColours[0], to: lists.tasks.open() },
    { label: 'Open test cases', value: open_test_cases, colour: doughnutColours[1], to: lists['test-cases'].open() },
  ].filter(({ value }) => value !== undefined);
  return {
    data: {
      labels: parts.map(({ label }) => label),
      series: [
        {
          key: 'open',
          label: 'Open',
          values: parts.map(({ value }) => value!),
          colour: parts.map(({ colour }) => colour),
        },
      ],
    },
    to: ({ label }) => parts[label]!.to,
  };
}
