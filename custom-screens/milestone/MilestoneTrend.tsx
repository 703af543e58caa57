import Box from '@mui/material/Box';
import { useParams } from 'react-router-dom';
import { NoAccess } from '../../src/app/states/NoAccess';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import type { ChartData } from '../../src/app/charts/chartData';
import { Figure } from '../../src/app/charts/Figure';
import { Tiles } from '../../src/app/charts/Tiles';
import { useFigures } from '../../src/app/charts/useFigures';
import { usePage } from '../../src/app/layout/page';
import { lazyComponent } from '../../src/app/states/lazyComponent';
import { FailedState } from '../../src/app/states/FailedState';
import { useQuery } from '@tanstack/react-query';
import { formatDate } from '../../src/engine/formats/dates';
import { formatShare } from '../../src/engine/formats/shares';
import { fetchApi } from '../../src/app/session/api';
import { countAll, resultColours, resultNames, resultOrder, type ResultCounts } from '../results/results';
import * as styles from './milestone-trend.module.css';

export interface TrendPoint extends ResultCounts {
  readonly day: string;
}
interface Milestone {
  readonly name: string;
  readonly due_on: string | null;
  readonly project: { readonly name: string } | null;
}

/** The library of charts travels alone. */
const BarChart = lazyComponent(() =>
  import('../../src/app/charts/BarChart').then((module) => ({ default: module.BarChart })),
);

const back = { to: '/milestones', label: 'Milestones' };
/** More bars than these would be too thin to be told apart. */
const maxBars = 31;

/** How the results of all runs of a milestone changed, day by day. */
export default function MilestoneTrend() {
  const id = Number(useParams().id);
  const { registry } = useDefinitions();
  if (!registry.get('milestones') || !Number.isSafeInteger(id)) return <NoAccess />;
  return <Trend key={id} id={id} />;
}

function Trend({ id }: { id: number }) {
  const milestone = useQuery({
    queryKey: ['milestones', 'trend', id],
    queryFn: async ({ signal }) => (await fetchApi<{ data: Milestone }>(`/milestones/${id}`, { signal })).data,
    retry: false,
    meta: { quiet: true },
  });
  const resources = ['run-entries', 'attempts', 'test-runs'];
  const trend = useFigures<readonly TrendPoint[]>(`/milestones/${id}/trend`, resources);
  const { data } = milestone;
  usePage({ title: data?.name ?? 'Milestone', note: data?.project?.name, back });
  const error = milestone.error ?? trend.error;
  if (error && !(milestone.data && trend.data)) {
    const isMissing = 'status' in error && error.status === 404;
    return (
      <FailedState
        title={isMissing ? 'Milestone not found, or you have no access' : 'The trend could not be loaded'}
        message={isMissing ? undefined : error.message}
        onRetry={isMissing ? undefined : () => void Promise.all([milestone.refetch(), trend.refetch()])}
        link={{ to: back.to, label: 'All milestones' }}
      />
    );
  }
  const points = trend.data;
  const last = points?.at(-1);
  const total = last ? countAll(last) : 0;
  const runCount = total - (last?.not_run ?? 0);
  return (
    <div className={styles.screen}>
      <Tiles
        label="Figures"
        tiles={[
          { key: 'total', label: 'Tests in its runs', count: points && total },
          {
            key: 'rate',
            label: 'Pass rate',
            count: points && formatShare(last?.passed ?? 0, runCount, 1),
            tone: runCount ? 'good' : undefined,
          },
          { key: 'failed', label: 'Failed', count: points && (last?.failed ?? 0), tone: 'bad' },
          { key: 'blocked', label: 'Blocked', count: points && (last?.blocked ?? 0) },
          { key: 'left', label: 'Not run', count: points && (last?.not_run ?? 0) },
        ]}
      />
      <Figure
        title="Trend"
        note={
          data?.due_on ? `results at the end of a day, due ${formatDate(data.due_on)}` : 'results at the end of a day'
        }
        head="Day"
        data={points && chartOf(points)}
        list={{ to: `/test-runs?milestone_id=${id}&tab=all`, label: 'The test runs of the milestone' }}
        empty="Its runs have no tests yet."
        noTotals
      >
        {points && <BarChart data={chartOf(points.slice(-maxBars))} label="Trend" stacked />}
      </Figure>
      {points && points.length > maxBars && (
        <Box component="p" sx={{ color: 'var(--t3)', fontSize: 13 }}>
          The bars are the last {maxBars} days on which something changed.
        </Box>
      )}
    </div>
  );
}

/** Chart.js draws series from the bottom up: what passed stands on the axis. */
function chartOf(points: readonly TrendPoint[]): ChartData {
  const visibleResults = resultOrder.filter((name) => name !== 'flaky' || points.some(({ flaky }) => flaky > 0));
  return {
    labels: points.map(({ day }) => formatDate(day)),
    series: visibleResults.map((name) => ({
      key: name,
      label: resultNames[name],
      colour: resultColours[name],
      values: points.map((point) => point[name]),
    })),
  };
}
