import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Link, useParams } from 'react-router-dom';
import { NoAccess } from '../../src/app/states/NoAccess';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { usePage } from '../../src/app/layout/page';
import { EmptyState } from '../../src/app/states/EmptyState';
import { FailedState } from '../../src/app/states/FailedState';
import { RunnerScreen } from './RunnerScreen';
import { runsListLink } from './runsList';
import type { Run } from './runnerApi';
import { useEntries, useLatestEntries, useRun } from './useRun';
import * as statesStyles from '../../src/app/states/states.module.css';
import * as styles from './runner.module.css';

/** Where testers run the tests of a run, one after the other. */
export default function TestRunner() {
  const id = Number(useParams().id);
  const { registry } = useDefinitions();
  const isKnown = registry.get('test-runs') && registry.get('run-entries');
  if (!isKnown || !Number.isSafeInteger(id)) return <NoAccess />;
  return <LoadedRun key={id} id={id} />;
}

function LoadedRun({ id }: { id: number }) {
  const run = useRun(id);
  const entries = useEntries(id);
  useLatestEntries(id, entries.data !== undefined);
  const error = run.error ?? entries.error;
  if (run.data && entries.data) {
    return entries.data.length === 0 ? <EmptyRun run={run.data} /> : <RunnerScreen run={run.data} />;
  }
  if (error) return <FailedRun error={error} onRetry={() => void Promise.all([run.refetch(), entries.refetch()])} />;
  return <LoadingRun />;
}

function LoadingRun() {
  usePage({ title: 'Test Run', back: runsListLink });
  return (
    <div className={styles.runner} role="status">
      <span className="unseen">Loading…</span>
      <section className={styles.entries} aria-hidden="true">
        {Array.from({ length: 12 }, (_, index) => (
          <Box key={index} className={statesStyles.skeleton} component="span" sx={{ height: 16, my: 2, mx: 3 }} />
        ))}
      </section>
      <section className={styles.content} aria-hidden="true" />
      <section className={styles.panel} aria-hidden="true" />
    </div>
  );
}

function FailedRun({ error, onRetry }: { error: Error; onRetry: () => void }) {
  usePage({ title: 'Test Run', back: runsListLink });
  const isMissing = 'status' in error && error.status === 404;
  const title = isMissing ? 'Test Run not found, or you have no access' : 'The test run could not be loaded';
  return (
    <FailedState
      title={title}
      message={isMissing ? undefined : error.message}
      onRetry={isMissing ? undefined : onRetry}
      link={{ to: runsListLink.to, label: 'All test runs' }}
    />
  );
}

function EmptyRun({ run }: { run: Run }) {
  usePage({ title: run.name, note: run.key, back: runsListLink });
  return (
    <EmptyState
      title="No tests yet"
      sentence="Add the test cases to run."
      action={
        run.state !== 'closed' && (
          <Button variant="contained" component={Link} to={`/test-runs/${run.id}/add-tests`}>
            Add tests
          </Button>
        )
      }
    />
  );
}
