import type { ReactNode } from 'react';
import { formatDate } from '../../src/engine/formats/dates';
import { Icon } from '../../src/app/icons/Icon';
import { ResultNumbers, ResultBar } from '../results/ResultNumbers';
import type { Overview, OverviewEntry, OverviewRun } from './overviewApi';
import * as styles from './run-overview.module.css';

interface RunCardProps {
  run: OverviewRun;
  overview: Overview;
  entries: readonly OverviewEntry[];
}

/** The subject of the run, and the results so far. */
export function RunCard({ run, overview, entries }: RunCardProps) {
  const dueDate = run.due_on ?? run.milestone?.due_on;
  const configurations = [...new Set(entries.map(({ configuration }) => configuration?.name))].filter(Boolean);
  const hasBuild = run.branch ?? run.commit ?? run.build_url;
  return (
    <section className={styles.card} aria-label="Results">
      <dl className={styles.facts}>
        <Fact label="Project">{run.project?.name}</Fact>
        <Fact label="Milestone">
          {run.milestone?.name}
          {dueDate && `${run.milestone ? ', ' : ''}due ${formatDate(dueDate)}`}
        </Fact>
        {configurations.length > 0 && (
          <Fact label="Configuration">
            <span title={configurations.join(', ')}>
              {configurations.length === 1 ? configurations[0] : `${configurations.length} configurations`}
            </span>
          </Fact>
        )}
        {hasBuild && (
          <Fact label="Build">
            <Build run={run} />
          </Fact>
        )}
      </dl>
      <ResultBar counts={overview.counts} size="large" />
      <ResultNumbers counts={overview.counts} shares />
    </section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children || '–'}</dd>
    </div>
  );
}

function Build({ run: { branch, commit, build_url: address } }: { run: OverviewRun }) {
  return (
    <span className={styles.build}>
      {address && /^https?:\/\//i.test(address) && (
        <a href={address} target="_blank" rel="noopener noreferrer nofollow">
          <Icon name="external" size={14} label="Build, opens in a new tab" />
        </a>
      )}
      {branch && <span title={branch}>{branch}</span>}
      {commit && <code>{commit.slice(0, 7)}</code>}
    </span>
  );
}
