import IconButton from '@mui/material/IconButton';
import { useMemo } from 'react';
import type { RaRecord } from 'react-admin';
import { formatNumber } from '../../src/engine/formats/numbers';
import { recordPage } from '../../src/engine/pages/record-page';
import { Initials } from '../../src/app/chips/Initials';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useEvaluationContext } from '../../src/app/data/useEvaluationContext';
import { Icon } from '../../src/app/icons/Icon';
import { Rail } from '../../src/app/record/Rail';
import { ResultBar } from '../results/ResultNumbers';
import { groupEntries } from './groups';
import { formatSeconds } from './formatSeconds';
import type { Overview, OverviewEntry, OverviewRun } from './overviewApi';
import { useReportLink } from './useReportLink';
import * as styles from './run-overview.module.css';

interface DetailsProps {
  run: OverviewRun;
  overview: Overview;
  entries: readonly OverviewEntry[];
  onClose: () => void;
}

const properties = [
  'project_id',
  'milestone_id',
  'owner_id',
  'starts_on',
  'due_on',
  'source',
  'branch',
  'commit',
  'build_url',
];

/** The properties of a run, who runs how much of it, and the public link to its report. */
export function Details({ run, overview, entries, onClose }: DetailsProps) {
  const { registry, actor } = useDefinitions();
  const definition = registry.getOrThrow('test-runs');
  const evaluationContext = useEvaluationContext(definition);
  const people = useMemo(() => groupEntries(entries, 'assignee'), [entries]);
  const report = useReportLink(run);
  const record = { ...run } as RaRecord;
  const page = { rail: properties, sections: [], related: [], stream: [], tiles: [] };
  const properPage = recordPage({ ...definition, page }, registry, record, actor, evaluationContext);
  const configurations = [...new Set(entries.map(({ configuration }) => configuration?.name))].filter(Boolean);
  const { pass_rate, elapsed_seconds } = overview;
  return (
    <aside className={styles.details} aria-label="Details">
      <header>
        <h2>Details</h2>
        <IconButton size="small" aria-label="Close the details" title="Close the details (I)" onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </header>
      {properPage && <Rail definition={definition} record={record} page={properPage} withoutKeys />}
      <dl>
        {configurations.length > 0 && (
          <div>
            <dt>Configuration</dt>
            <dd>{configurations.join(', ')}</dd>
          </div>
        )}
        {pass_rate !== null && (
          <div>
            <dt>Pass rate</dt>
            <dd>{formatNumber(pass_rate)}% of what was run</dd>
          </div>
        )}
        {elapsed_seconds > 0 && (
          <div>
            <dt>Time spent</dt>
            <dd>{formatSeconds(elapsed_seconds)}</dd>
          </div>
        )}
      </dl>
      {people.length > 0 && (
        <section>
          <h3>People</h3>
          <ul>
            {people.map(({ name, entries: tests, counts }) => (
              <li key={name}>
                <Initials name={tests[0]?.assigned ? name : ''} size={20} />
                <span>{name}</span>
                <ResultBar counts={counts} size="small" />
                <small className="num">
                  {formatNumber(tests.length - counts.not_run)} of {formatNumber(tests.length)}
                </small>
              </li>
            ))}
          </ul>
        </section>
      )}
      {report.address !== '' && (
        <section>
          <h3>Public report</h3>
          <p className={styles.address}>
            <code title={report.address}>{report.address.replace(window.location.origin, '')}</code>
            <IconButton size="small" aria-label="Copy the public link" onClick={() => void report.copy()}>
              <Icon name="copy" />
            </IconButton>
          </p>
          <small>Anyone with the link can read, without signing in. Revoke it in the form of the run.</small>
        </section>
      )}
    </aside>
  );
}
