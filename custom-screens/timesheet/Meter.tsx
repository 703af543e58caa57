import * as styles from './week.module.css';

/** Hours as a bar with a mark at the target. */
export function Meter({ total, target }: { total: number; target: number }) {
  const scale = Math.max(total, target * 1.25, 0.01);
  return (
    <span className={styles.weekMeter} aria-hidden="true">
      <s style={{ width: `${(total / scale) * 100}%` }} />
      {target > 0 && <u style={{ left: `${(target / scale) * 100}%` }} />}
    </span>
  );
}
