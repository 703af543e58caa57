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
import type { Overview, OverviewRun } from './overviewApi';
import * as styles from './run-overview.module.css';

const shortTime = personalFormatter({ hour: '2-digit', minute: '2-digit' });
const shortDay = personalFormatter({ day: 'numeric', month: 'short' });

const [width, height] = [360, 168];
const plot = { left: 34, right: 350, top: 14, bottom: 140 };
const day = 86_400_000;

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
  const points = burndown.map((point) => ({ at: Date.parse(point.at), left: point.left }));
  const start = points[0]?.at ?? Date.parse(run.created_at);
  const last = isOpen ? Math.max(now, points.at(-1)?.at ?? now) : (points.at(-1)?.at ?? start);
  const dueTime = run.due_on ? Date.parse(`${run.due_on}T23:59:59`) : undefined;
  const forecast = isOpen && forecast_at ? Date.parse(forecast_at) : undefined;
  const end = Math.max(last, dueTime ?? 0, forecast ?? 0, start + 3_600_000);
  const x = (time: number) => plot.left + ((plot.right - plot.left) * (time - start)) / (end - start);
  const maxCount = Math.max(total, ...points.map((point) => point.left));
  const y = (count: number) => plot.bottom - ((plot.bottom - plot.top) * count) / maxCount;
  const line = [...points, { at: last, left }].map((point) => `${x(point.at)},${y(point.left)}`).join(' ');
  const ticks = dayTicks(start, end);
  const words = [
    `${formatNumber(left)} of ${formatNumber(total)} tests left`,
    dueTime && `due ${shortDay().format(dueTime)}`,
    forecast && `forecast ${shortDay().format(forecast)}`,
  ].filter(Boolean);
  return (
    <svg className={styles.burndownChart} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words.join(', ')}>
      {[maxCount, Math.round(maxCount / 2), 0].map((count, index) => (
        <g key={index}>
          <line className={styles.gridLine} x1={plot.left} x2={plot.right} y1={y(count)} y2={y(count)} />
          <text x={plot.left - 8} y={y(count) + 4} textAnchor="end">
            {formatNumber(count)}
          </text>
        </g>
      ))}
      {ticks.map(({ time, label }) => (
        <text key={time} x={Math.min(x(time), plot.right - 6)} y={height - 8} textAnchor="middle">
          {label}
        </text>
      ))}
      {dueTime !== undefined && (
        <line className={styles.idealLine} x1={x(start)} y1={y(maxCount)} x2={x(dueTime)} y2={y(0)} />
      )}
      <polyline className={styles.leftLine} points={line} />
      {forecast !== undefined && (
        <line className={styles.forecastLine} x1={x(last)} y1={y(left)} x2={x(forecast)} y2={y(0)} />
      )}
      <circle className={styles.leftPoint} cx={x(last)} cy={y(left)} r="3.5" />
      <text
        className={styles.leftLabel}
        x={x(last) > plot.right - 70 ? x(last) - 8 : x(last) + 9}
        y={Math.max(y(left) - 7, 12)}
        textAnchor={x(last) > plot.right - 70 ? 'end' : 'start'}
      >
        {formatNumber(left)} left
      </text>
    </svg>
  );
}

/** At most five days, or hours where it all happened within two days. */
function dayTicks(start: number, end: number): { time: number; label: string }[] {
  const span = end - start;
  const isShort = span < 2 * day;
  const unit = isShort ? 3_600_000 : day;
  const step = Math.max(1, Math.ceil(span / unit / 5)) * unit;
  const ticks: { time: number; label: string }[] = [];
  for (let time = start; time <= end && ticks.length < 7; time += step) {
    const date = new Date(time);
    const hour = shortTime().format(date);
    const isNewMonth = ticks.length === 0 || date.getDate() <= 7;
    ticks.push({
      time,
      label: isShort ? hour : isNewMonth ? shortDay().format(date) : String(date.getDate()),
    });
  }
  return ticks;
}
