import * as statesStyles from '../states/states.module.css';
import * as styles from './record.module.css';

const lines = [320, 180, 620, 540, 580];

/** A record's page while it loads, in its geometry. */
export function RecordSkeleton() {
  return (
    <div className={styles.record} role="status">
      <span className="unseen">Loading…</span>
      <div className={styles.recordColumns} aria-hidden="true">
        <div className={styles.recordMain}>
          <div className={styles.recordWait}>
            {lines.map((width, index) => (
              <span key={index} className={statesStyles.skeleton} style={{ width, maxWidth: '100%' }} />
            ))}
          </div>
        </div>
        <div className={styles.rail}>
          <div className={styles.recordWait}>
            {lines.map((_, index) => (
              <span key={index} className={statesStyles.skeleton} style={{ width: '70%' }} />
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}
