import Box from '@mui/material/Box';
import { useRecordContext, type RaRecord } from 'react-admin';
import { addDays } from '../../src/engine/formats/dates';
import { useFigures } from '../../src/app/charts/useFigures';
import { localToday } from '../../src/app/data/localTime';
import { TileFrame } from '../../src/app/screens/pages/TileFrame';
import { countAll } from '../results/results';
import { endOfDay, LeftChart } from '../run-overview/LeftChart';
import { startOf, type Milestone } from './milestoneApi';
import { daysToGo } from './milestoneVerdict';
import type { TrendPoint } from './MilestoneTrend';

const title = 'Trend';

/** The tests of a milestone that were left and those that failed, day by day, until it is due. */
export default function TrendTile() {
  const milestone = useRecordContext<RaRecord<number>>() as (RaRecord<number> & Milestone) | undefined;
  const id = Number(milestone?.id);
  const resources = ['run-entries', 'attempts', 'test-runs'];
  const { data, error } = useFigures<readonly TrendPoint[]>(`/milestones/${id}/trend`, resources);
  if (!milestone) return null;
  return (
    <TileFrame title={title} target={`/milestones/${id}/trend`} waits={{ contentKey: title, now: !data && !error }}>
      <Box sx={{ px: 4, pb: 3, color: 'var(--t2)', fontSize: 12 }} role="status">
        {error
          ? `The trend could not be loaded: ${error.message}`
          : !data
            ? 'Loading…'
            : data.length === 0
              ? 'Its runs have no tests yet.'
              : 'Tests left in blue, failing in red'}
      </Box>
      {data && data.length > 0 && (
        <Box sx={{ px: 3, pb: 3 }}>
          <Course milestone={milestone} points={data} />
        </Box>
      )}
    </TileFrame>
  );
}

function Course({ milestone, points }: { milestone: Milestone; points: readonly TrendPoint[] }) {
  const today = localToday();
  const latest = points.at(-1);
  if (!latest) return null;
  const total = countAll(latest);
  const left = latest.not_run;
  const firstDay = [startOf(milestone), points[0]?.day ?? today].toSorted()[0]!;
  const days = left === 0 ? undefined : daysToGo({ left, total }, startOf(milestone), today);
  const last = endOfDay(today);
  const countsOf = (count: (point: TrendPoint) => number) => [
    ...points.map((point) => ({ time: endOfDay(point.day), count: count(point) })),
    { time: last, count: count(latest) },
  ];
  return (
    <LeftChart
      {...{ total, left, last }}
      start={endOfDay(addDays(firstDay, -1))}
      points={countsOf(({ not_run: notRun }) => notRun)}
      failing={countsOf(({ failed }) => failed)}
      dueTime={milestone.due_on === null ? undefined : endOfDay(milestone.due_on)}
      forecast={days === undefined ? undefined : endOfDay(addDays(today, days))}
      width={400}
      height={286}
    />
  );
}
