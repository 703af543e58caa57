import { useMemo } from 'react';
import { Link } from 'react-router';
import { formatNumber } from '../../src/engine/formats/numbers';
import { Icon } from '../../src/app/icons/Icon';
import { entryKey } from '../test-runner/entryOrder';
import { CreateDefectButton } from './CreateDefectButton';
import type { Overview, OverviewEntry, OverviewRun } from './overviewApi';
import * as styles from './run-overview.module.css';

interface FailuresTabProps {
  run: OverviewRun;
  overview: Overview;
  entries: readonly OverviewEntry[];
}

/** How many failures of a group are listed. */
const most = 50;

/** What failed, by the message, the most frequent first; what is new since the run before is marked. */
export function FailuresTab({ run, overview: { failures, earlier }, entries }: FailuresTabProps) {
  const byId = useMemo(() => new Map(entries.map((entry) => [entry.id, entry])), [entries]);
  if (failures.length === 0) return <p className={styles.nothing}>Nothing failed.</p>;
  const since = earlier ? `since ${earlier.key ?? earlier.name}` : '';
  return (
    <div className={styles.failures}>
      {failures.map(({ message, entries: ids, new: fresh }) => (
        <section key={message} aria-label={message || 'Without a message'}>
          <header>
            <Icon name="x" size={14} />
            <h3>{message || 'Without a message'}</h3>
            <span className="num">{ids.length === 1 ? 'One test' : `${formatNumber(ids.length)} tests`}</span>
            {fresh.length > 0 && (
              <span className={styles.fresh}>{`${formatNumber(fresh.length)} new ${since}`.trim()}</span>
            )}
          </header>
          <ul>
            {ids.slice(0, most).map((id) => {
              const entry = byId.get(id);
              if (!entry) return null;
              const { configuration, assigned, defect } = entry;
              return (
                <li key={id}>
                  <span className={styles.key}>{entryKey(entry)}</span>
                  <Link to={run.source === 'people' ? `/test-runs/${run.id}/run?entry=${id}` : `/run-entries/${id}`}>
                    {entry.name}
                  </Link>
                  <small>
                    {[configuration?.name, assigned?.name, defect ? `Task: ${defect.name}` : 'no task']
                      .filter(Boolean)
                      .join(' · ')}
                  </small>
                  {fresh.includes(id) && <span className={styles.fresh}>new</span>}
                  {!defect && <CreateDefectButton {...{ run, entry }} />}
                </li>
              );
            })}
          </ul>
          {ids.length > most && <p className={styles.more}>and {formatNumber(ids.length - most)} more</p>}
        </section>
      ))}
    </div>
  );
}
