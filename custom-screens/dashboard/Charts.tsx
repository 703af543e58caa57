import { useNavigate } from 'react-router-dom';
import { Figure } from '../../src/app/charts/Figure';
import type { CountBlock } from './blocks';
import { projectsChart, tasksChart, testCasesChart, type LinkedChart } from './charts';
import type { DashboardFigures } from './figures';
import { unfilteredListUrl } from './links';
import { lazyComponent, LoadingFallback } from '../../src/app/states/lazyComponent';
import * as chartsStyles from '../../src/app/charts/charts.module.css';
import * as statesStyles from '../../src/app/states/states.module.css';
import * as styles from './dashboard.module.css';

const BarChart = lazyComponent(() =>
  import('../../src/app/charts/BarChart').then((module) => ({ default: module.BarChart })),
);

const chartPlans: Readonly<
  Record<
    CountBlock['list'],
    { head: string; note: string; chartOf: (figures: DashboardFigures) => LinkedChart | undefined }
  >
> = {
  projects: {
    head: 'Status',
    note: 'by status',
    chartOf: ({ projects }) => projects && projectsChart(projects.by_status),
  },
  'test-cases': {
    head: 'Priority',
    note: 'by priority',
    chartOf: ({ test_cases }) => test_cases && testCasesChart(test_cases.by_priority),
  },
  tasks: {
    head: 'Status',
    note: 'by status and priority',
    chartOf: ({ tasks }) => tasks && tasksChart(tasks.by_status),
  },
};

interface ChartsProps {
  figures: DashboardFigures | undefined;
  blocks: readonly Pick<CountBlock, 'list' | 'title'>[];
  /** Legends are short on phones: a note says what the chart is grouped by. */
  isPhone: boolean;
}

/** A bar chart for each resource. A click on a bar opens the list of the records that it counts. */
export function Charts({ figures, blocks, isPhone }: ChartsProps) {
  const navigate = useNavigate();
  return blocks.map(({ list, title }) => {
    const { head, note, chartOf } = chartPlans[list];
    const chart = figures && chartOf(figures);
    return (
      <Figure
        key={list}
        className={list === 'tasks' ? `${styles.dashChart} ${styles.dashChartTasks}` : styles.dashChart}
        title={title}
        note={isPhone ? note : undefined}
        head={head}
        data={chart?.data}
        urlOf={chart?.urlOf}
        list={{ to: unfilteredListUrl(list), label: `Open the ${title} list` }}
      >
        {chart && (
          <LoadingFallback
            fallback={<span className={`${statesStyles.skeleton} ${chartsStyles.figureSkeleton}`} aria-hidden="true" />}
          >
            <BarChart
              data={chart.data}
              label={title}
              stacked={list === 'tasks'}
              onPick={(position) => {
                const url = chart.urlOf(position);
                if (url) void navigate(url);
              }}
            />
          </LoadingFallback>
        )}
      </Figure>
    );
  });
}
