import { Level } from '../../src/engine/definitions/level';
import { isGranted } from '../../src/engine/access/access-decision';
import { formatHours } from '../../src/engine/formats/numbers';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { BarChart } from '../../src/app/charts/BarChart';
import { Doughnut } from '../../src/app/charts/Doughnut';
import { Figure } from '../../src/app/charts/Figure';
import type { ChartData } from '../../src/app/charts/chartData';
import { PartsList } from '../../src/app/charts/PartsList';
import { Analytics } from './Analytics';
import { withColours, filteredListUrl, dayFromToday, useRingHeight } from './figures';
import * as styles from './analytics.module.css';

const priorityColours = ['urgent', 'high', 'medium', 'low'] as const;
/** Not started, in progress, completed, cancelled. */
const stateColours = ['control', 'accent-line', 'low', 't2'] as const;
const open = [1, 2];
const tiles = ['Total', 'Open', 'Completed', 'Late', 'Upcoming'];
/** The chart draws this many projects; all of them are in its table of numbers. */
const maxProjects = 6;

/** The list filters that each tile links to. Tiles of teams have no link: no filter of the list selects a team. */
const tileFilters: Readonly<Record<string, (me: number) => Record<string, unknown>>> = {
  total: () => ({}),
  open: () => ({ status_id: open }),
  completed: () => ({ status_id: 3 }),
  late: () => ({ is_delayed: true }),
  upcoming: () => ({ status_id: open, end_date_from: dayFromToday(0), end_date_to: dayFromToday(7) }),
  assigned_to_me: (me) => ({ assigned_to: me }),
};

/** Tasks by status and priority, with what was planned and what was logged. */
export default function TaskAnalytics() {
  const { actor } = useDefinitions();
  const height = useRingHeight();
  return (
    <Analytics
      title="Task Analytics"
      resource="tasks"
      endpoint="task-analytics"
      dependsOn={['tasks', 'test-cases', 'time-logs']}
      tileLabels={[
        ...tiles,
        ...(actor.level <= Level.Manager ? ['With Developers', 'With QA', 'With External Users'] : ['Assigned to me']),
      ]}
      tile={(key, state, definition) => ({
        ...(key === 'late' && { tone: 'bad' as const }),
        ...(tileFilters[key] && { to: filteredListUrl(definition, state, tileFilters[key](actor.id)) }),
      })}
      charts={(figures, state, definition) => {
        const lateTasks = withColours(figures?.charts.late_tasks, priorityColours);
        const linked = withColours(figures?.charts.linked_test_cases, ['accent', 'blue-3']);
        const hours = withColours(figures?.charts.hours_logged, ['time', 'control']);
        const states = withColours(figures?.charts.task_distribution, stateColours);
        const list = (filters: Record<string, unknown>, words: string) => ({
          to: filteredListUrl(definition, state, filters),
          label: words,
        });
        return (
          <div className={styles.analyticsFour}>
            <Figure
              title="Late Tasks"
              note="open, past their end date"
              head="Priority"
              data={lateTasks}
              legend={false}
              list={list({ is_delayed: true }, 'Open the list of late tasks')}
              empty="No open task is late."
            >
              {lateTasks && <BarChart data={lateTasks} label="Late tasks by priority" />}
            </Figure>
            <Figure
              title="Linked Test Cases"
              note="tasks by status"
              head="Status"
              data={linked}
              list={list({}, 'Open the Tasks list')}
            >
              {linked && <BarChart data={linked} label="Tasks with and without test cases by status" />}
            </Figure>
            <Figure
              title="Hours Logged"
              note={hours && hoursSummary(hours)}
              head="Project"
              data={hours}
              list={
                isGranted(actor, 'time-logs', 'list')
                  ? { to: '/time-logs', label: 'Open the Time Logs list' }
                  : undefined
              }
              noTotals
              drawnCount={maxProjects}
              format={formatHours}
              empty="No hours were planned or logged yet."
            >
              {hours && <BarChart data={firstProjects(hours)} label="Hours by project" format={formatHours} />}
            </Figure>
            <Figure
              title="Task Distribution"
              note="by status"
              head="Status"
              className={styles.figureBeside}
              data={states}
              legend={false}
              list={list({}, 'Open the Tasks list')}
              footer={
                states && (
                  <PartsList
                    data={states}
                    urlOf={(index) => filteredListUrl(definition, state, { status_id: index + 1 })}
                  />
                )
              }
            >
              {states && <Doughnut data={states} label="Task Distribution" height={height} word="tasks" />}
            </Figure>
          </div>
        );
      }}
    />
  );
}

function hoursSummary({ series: [loggedHours, estimated] }: ChartData): string {
  const sum = (values: readonly number[] = []) => formatHours(values.reduce((sumSoFar, value) => sumSoFar + value, 0));
  return `${sum(loggedHours?.values)} of ${sum(estimated?.values)} estimated, by project`;
}

function firstProjects({ labels, series }: ChartData): ChartData {
  return {
    labels: labels.slice(0, maxProjects),
    series: series.map((entry) => ({ ...entry, values: entry.values.slice(0, maxProjects) })),
  };
}
