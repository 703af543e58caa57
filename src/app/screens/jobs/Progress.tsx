import { formatNumber } from '../../../engine/formats/numbers';
import * as styles from './jobs.module.css';

interface ProgressProps {
  value: number;
  total: number | null;
  /** Names the bar. */
  label: string;
}

/** A progress bar with `400 of 1,000`. The total is null while the file is still being read. */
export function Progress({ value, total, label }: ProgressProps) {
  if (total === null) {
    return (
      <span className={styles.jobProgress}>
        <progress aria-label={label} />
        <small>Reading…</small>
      </span>
    );
  }
  const words = `${formatNumber(value)} of ${formatNumber(total)}`;
  return (
    <span className={styles.jobProgress}>
      <progress max={Math.max(total, 1)} value={value} aria-label={`${label}, ${words}`} />
      <small className="num">{words}</small>
    </span>
  );
}
