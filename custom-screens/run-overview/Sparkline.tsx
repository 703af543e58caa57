import type { Overview, OverviewRun } from './overviewApi';
import * as styles from './run-overview.module.css';

const [width, height, edge] = [116, 40, 3];

/** The number of tests left over time as a small line, with the forecast dotted. Decoration: its numbers are in the burndown. */
export function Sparkline({ run, overview, now }: { run: OverviewRun; overview: Overview; now: number }) {
  const { total, counts, burndown, forecast_at } = overview;
  const isOpen = run.state !== 'closed';
  const points = burndown.map((point) => ({ time: Date.parse(point.at), left: point.left }));
  const start = points[0]?.time ?? Date.parse(run.created_at);
  const last = isOpen ? Math.max(now, points.at(-1)?.time ?? now) : (points.at(-1)?.time ?? start);
  const forecast = isOpen && forecast_at ? Date.parse(forecast_at) : undefined;
  const end = Math.max(last, forecast ?? 0, start + 1);
  const maxCount = Math.max(1, total, ...points.map(({ left }) => left));
  const x = (time: number) => (edge + ((width - 2 * edge) * (time - start)) / (end - start)).toFixed(1);
  const y = (left: number) => (height - edge - ((height - 2 * edge) * left) / maxCount).toFixed(1);
  const line = [{ time: start, left: points[0]?.left ?? total }, ...points, { time: last, left: counts.not_run }];
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
      {forecast !== undefined && (
        <line className={styles.idealLine} x1={x(last)} y1={y(counts.not_run)} x2={x(forecast)} y2={y(0)} />
      )}
      <polyline className={styles.leftLine} points={line.map(({ time, left }) => `${x(time)},${y(left)}`).join(' ')} />
      <circle className={styles.leftPoint} cx={x(last)} cy={y(counts.not_run)} r="3" />
    </svg>
  );
}
