import type { ReactNode } from 'react';
import * as valueStyles from '../fields/shared-values.module.css';
import * as styles from './shared.module.css';

/** A longer text of a shared record, below its heading. */
export function SharedSection({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section>
      <h2>{label}</h2>
      <div className={styles.sharedText}>{children || <Nothing />}</div>
    </section>
  );
}

/** One of the facts about a shared record, within a `dl`. */
export function SharedFact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children || <Nothing />}</dd>
    </div>
  );
}

function Nothing() {
  return (
    <span className={valueStyles.sharedNothing}>
      <span aria-hidden="true">–</span>
      <span className="unseen">Nothing</span>
    </span>
  );
}
