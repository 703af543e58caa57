import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { useState } from 'react';
import { Row } from '../../src/app/layout/Row';
import { formatInstant } from '../../src/engine/formats/dates';
import { personalFormatter } from '../../src/engine/formats/personal';
import { formatNumber } from '../../src/engine/formats/numbers';
import { firstOf } from '../../src/engine/values/lookups';
import { Icon } from '../../src/app/icons/Icon';
import { formatSeconds } from './formatSeconds';
import { endOfDay, LeftChart } from './LeftChart';
import type { Overview, OverviewRun } from './overviewApi';
import * as styles from './run-overview.module.css';

const shortDay = personalFormatter({ day: 'numeric', month: 'short' });

/** How many tests were left over time, with the straight way to the due day and the forecast. */
export function Burndown({ run, overview, now }: { run: OverviewRun; overview: Overview; now: number }) {
  const [isTable, setTable] = useState(false);
  const { total, counts, burndown, forecast_at: forecast } = overview;
  const left = counts.not_run;
  const isOpen = run.state !== 'closed';
  const remainingSeconds = overview.remaining_seconds;
  const hasSingleInstant =
    burndown.length === 1 && left < total && (left === 0 || !isOpen || run.source === 'machines');
  const notes = [
    isOpen && left > 0 && remainingSeconds !== null && `${formatSeconds(remainingSeconds)} to go`,
    isOpen && forecast && `forecast ${shortDay().format(new Date(forecast))}`,
  ].filter(Boolean);
  return (
    <section className={styles.burndown} aria-label="Burndown">
      <Row component="header" spacing={2}>
        <Box component="h2" sx={{ fontSize: 14, lineHeight: '20px' }}>
          Burndown
        </Box>
        <small>{['tests left', ...notes].join(', ')}</small>
        <span className={styles.grow} />
        <IconButton
          size="small"
          aria-pressed={isTable}
          aria-label="Show the numbers of Burndown"
          title="Numbers"
          onClick={() => setTable(!isTable)}
        >
          <Icon name="list" />
        </IconButton>
      </Row>
      {total === 0 && <p className={styles.nothing}>The run has no tests yet.</p>}
      {total > 0 && !isTable && hasSingleInstant && (
        <p className={styles.nothing}>
          All results came at once, on {formatInstant(firstOf(burndown).at)}: there is no course to draw.
        </p>
      )}
      {total > 0 && !isTable && !hasSingleInstant && <Lines {...{ run, overview, now, left }} />}
      {total > 0 && isTable && (
        <div className={styles.burndownTable} tabIndex={0} role="region" aria-label="Numbers of Burndown">
          <Box component="table" sx={{ width: '100%', borderCollapse: 'collapse' }}>
            <thead>
              <tr>
                <th scope="col">Until</th>
                <th scope="col">Left</th>
              </tr>
            </thead>
            <tbody>
              {burndown.map(({ at: instant, left: count }) => (
                <tr key={instant}>
                  <th scope="row">{formatInstant(instant)}</th>
                  <td className="num">{formatNumber(count)}</td>
                </tr>
              ))}
            </tbody>
          </Box>
        </div>
      )}
    </section>
  );
}

interface LinesProps {
  run: OverviewRun;
  overview: Overview;
  now: number;
  left: number;
}

function Lines({ run, overview: { total, burndown, forecast_at }, now, left }: LinesProps) {
  const isOpen = run.state !== 'closed';
  const points = burndown.map((point) => ({ time: Date.parse(point.at), count: point.left }));
  const start = points[0]?.time ?? Date.parse(run.created_at);
  const last = isOpen ? Math.max(now, points.at(-1)?.time ?? now) : (points.at(-1)?.time ?? start);
  return (
    <LeftChart
      {...{ total, left, start, last }}
      points={[...points, { time: last, count: left }]}
      dueTime={run.due_on ? endOfDay(run.due_on) : undefined}
      forecast={isOpen && forecast_at ? Date.parse(forecast_at) : undefined}
    />
  );
}
