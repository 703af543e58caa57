import { useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router-dom';
import { Figure } from '../../src/app/charts/Figure';
import { PartsList } from '../../src/app/charts/PartsList';
import { workloadChart } from './charts';
import type { DashboardFigures } from './figures';
import { lazyComponent, LoadingFallback } from '../../src/app/states/lazyComponent';
import * as chartsStyles from '../../src/app/charts/charts.module.css';
import * as statesStyles from '../../src/app/states/states.module.css';
import * as styles from './dashboard.module.css';
import { requireValue } from '../../src/engine/values/lookups';

const minHeight = 110;
const maxHeight = 260;
/** Share of the window's width: 192 px at 1440 px. */
const heightRatio = 2 / 15;

/** The height of the doughnut chart, in CSS pixels: proportional to the window's width, from 110 to 260. */
export function doughnutHeight(windowWidth: number): number {
  return Math.round(Math.min(maxHeight, Math.max(minHeight, windowWidth * heightRatio)));
}

const Doughnut = lazyComponent(() =>
  import('../../src/app/charts/Doughnut').then((module) => ({ default: module.Doughnut })),
);

function subscribeToResize(onResize: () => void): () => void {
  window.addEventListener('resize', onResize);
  return () => window.removeEventListener('resize', onResize);
}

/** Open tasks and open test cases as a doughnut chart; each part links to its list. */
export function Workload({ workload }: { workload: DashboardFigures['workload'] }) {
  const height = useSyncExternalStore(subscribeToResize, () => doughnutHeight(window.innerWidth));
  const navigate = useNavigate();
  const chart = workload && workloadChart(workload);
  const urlOf = (label: number) => requireValue(chart?.urlOf({ label, series: 0 }), `the list of part ${label}`);
  return (
    <Figure
      className={styles.dashWorkload}
      title="Workload Distribution"
      head="Kind"
      legend={false}
      data={chart?.data}
      urlOf={chart?.urlOf}
      empty="Nothing is open."
      footer={chart && <PartsList data={chart.data} urlOf={urlOf} shares={false} />}
    >
      {chart && (
        <LoadingFallback
          fallback={<span className={`${statesStyles.skeleton} ${chartsStyles.figureSkeleton}`} aria-hidden="true" />}
        >
          <Doughnut
            data={chart.data}
            label="Workload Distribution"
            height={height}
            word="open items"
            onPick={(label) => void navigate(urlOf(label))}
          />
        </LoadingFallback>
      )}
    </Figure>
  );
}
