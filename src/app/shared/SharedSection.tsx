import type { ReactNode } from 'react';

/** A longer text of a shared record, below its heading. */
export function SharedSection({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section>
      <h2>{label}</h2>
      <div className="shared-text">{children || <Nothing />}</div>
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
    <span className="shared-nothing">
      <span aria-hidden="true">–</span>
      <span className="unseen">Nothing</span>
    </span>
  );
}
