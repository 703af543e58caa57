import * as styles from './states.module.css';

const widths = [72, 54, 83, 61, 68, 47, 77, 58];

export interface SkeletonRowsProps {
  /** How many rows; 15 is a page of a list. */
  rows?: number;
  /** Shows one more row above them, for the head of a grid. */
  hasHead?: boolean;
  /** Height of a row in pixels. */
  height?: number;
}

/** A list's skeleton in its final geometry. */
export function SkeletonRows({ rows = 15, height = 50, hasHead = false }: SkeletonRowsProps) {
  return (
    <div className={styles.skeletonRows} role="status" data-head={hasHead || undefined}>
      <span className="unseen">Loading…</span>
      {Array.from({ length: hasHead ? rows + 1 : rows }, (_, row) => (
        <div key={row} style={{ height }} aria-hidden="true">
          <span className={styles.skeleton} style={{ width: 16, height: 16 }} />
          <span className={styles.skeleton} style={{ width: 36 }} />
          <span className={styles.skeletonGrow}>
            <span className={styles.skeleton} style={{ width: `${widths[row % widths.length]}%` }} />
          </span>
          <span className={styles.skeleton} style={{ width: 64, height: 20 }} />
          <span className={styles.skeleton} style={{ width: 24, height: 24, borderRadius: '50%' }} />
        </div>
      ))}
    </div>
  );
}
