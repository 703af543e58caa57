import { personalFormatter } from '../../src/engine/formats/personal';
import { formatNumber } from '../../src/engine/formats/numbers';
import * as styles from './run-overview.module.css';

const shortTime = personalFormatter({ hour: '2-digit', minute: '2-digit' });
const shortDay = personalFormatter({ day: 'numeric', month: 'short' });
const day = 86_400_000;

/** How many tests there were at a time, in milliseconds. */
export interface CountAt {
  readonly time: number;
  readonly count: number;
}

interface LeftChartProps {
  total: number;
  /** How many tests are left now. */
  left: number;
  /** How many were left over time, until now. */
  points: readonly CountAt[];
  /** How many failed over time. */
  failing?: readonly CountAt[];
  start: number;
  last: number;
  dueTime: number | undefined;
  /** When none will be left at the present pace. */
  forecast: number | undefined;
  /** Its size in pixels, if it is as wide as it is drawn. */
  width?: number;
  height?: number;
}

/** The last moment of a day, where the user is. */
export const endOfDay = (dueDay: string): number => Date.parse(`${dueDay}T23:59:59`);

/** The tests that were left over time, with the straight way to the due day and the forecast. */
export function LeftChart(props: LeftChartProps) {
  const { total, left, points, failing = [], start, last, dueTime, forecast, width = 360, height = 168 } = props;
  const plot = { left: 34, right: width - 10, top: 14, bottom: height - 28 };
  const knownEnd = Math.max(last, dueTime ?? 0, start + 3_600_000);
  // A forecast that is far away leaves half of the width to what is known: its line ends at the edge.
  const end = Math.max(knownEnd, Math.min(forecast ?? 0, knownEnd + (knownEnd - start)));
  const x = (time: number) => plot.left + ((plot.right - plot.left) * (time - start)) / (end - start);
  const maxCount = Math.max(total, ...points.map(({ count }) => count));
  const y = (count: number) => plot.bottom - ((plot.bottom - plot.top) * count) / maxCount;
  const lineOf = (counts: readonly CountAt[]) => counts.map(({ time, count }) => `${x(time)},${y(count)}`).join(' ');
  const failingNow = failing.at(-1)?.count;
  const words = [
    `${formatNumber(left)} of ${formatNumber(total)} tests left`,
    failingNow !== undefined && `${formatNumber(failingNow)} failing`,
    dueTime && `due ${shortDay().format(dueTime)}`,
    forecast && `forecast ${shortDay().format(forecast)}`,
  ].filter(Boolean);
  const leftAtEnd = forecast !== undefined && forecast > end ? (left * (forecast - end)) / (forecast - last) : 0;
  const isAtEdge = x(last) > plot.right - 70;
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
      {dayTicks(start, end).map(({ time, label }) => (
        <text key={time} x={Math.min(x(time), plot.right - 6)} y={height - 8} textAnchor="middle">
          {label}
        </text>
      ))}
      {dueTime !== undefined && (
        <>
          <line className={styles.idealLine} x1={x(start)} y1={y(maxCount)} x2={x(dueTime)} y2={y(0)} />
          <line className={styles.dueLine} x1={x(dueTime)} x2={x(dueTime)} y1={plot.top - 6} y2={plot.bottom} />
          <text className={styles.dueLabel} x={x(dueTime) - 5} y={plot.top} textAnchor="end">
            due
          </text>
        </>
      )}
      <polyline className={styles.leftLine} points={lineOf(points)} />
      {failing.length > 0 && <polyline className={styles.failingLine} points={lineOf(failing)} />}
      {forecast !== undefined && (
        <line
          className={styles.forecastLine}
          x1={x(last)}
          y1={y(left)}
          x2={x(Math.min(forecast, end))}
          y2={y(leftAtEnd)}
        />
      )}
      <circle className={styles.leftPoint} cx={x(last)} cy={y(left)} r="3.5" />
      <text
        className={styles.leftLabel}
        x={isAtEdge ? x(last) - 8 : x(last) + 9}
        y={Math.max(y(left) - 7, 12)}
        textAnchor={isAtEdge ? 'end' : 'start'}
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
