import { Navigate, useParams } from 'react-router-dom';
import { isGranted } from '../../src/engine/access/access-decision';
import { NoAccess } from '../../src/app/states/NoAccess';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { usePage } from '../../src/app/layout/page';
import { FailedState } from '../../src/app/states/FailedState';
import * as statesStyles from '../../src/app/states/states.module.css';
import { runsListLink } from '../test-runner/runsList';
import { OverviewScreen } from './OverviewScreen';
import { useOverview, useOverviewRun } from './useOverview';
import * as styles from './run-overview.module.css';

/** Where a run is: its results, what failed, what is left. */
export default function RunOverview() {
  const id = Number(useParams().id);
  const { registry, actor } = useDefinitions();
  if (!registry.get('test-runs') || !Number.isSafeInteger(id)) return <NoAccess />;
  // A run is opened here from everywhere; without its tests there is the form.
  if (!registry.get('run-entries') || !isGranted(actor, 'run-entries', 'list'))
    return <Navigate to={`/test-runs/${id}`} replace />;
  return <LoadedOverview key={id} id={id} />;
}

function LoadedOverview({ id }: { id: number }) {
  const run = useOverviewRun(id);
  const overview = useOverview(id);
  const error = run.error ?? overview.error;
  if (run.data && overview.data) return <OverviewScreen run={run.data} overview={overview.data} />;
  if (error)
    return <FailedOverview error={error} onRetry={() => void Promise.all([run.refetch(), overview.refetch()])} />;
  return <LoadingOverview />;
}

function LoadingOverview() {
  usePage({ title: 'Test Run', back: runsListLink });
  return (
    <div className={styles.screen} role="status">
      <span className="unseen">Loading…</span>
      <div className={styles.main} aria-hidden="true">
        <span className={`${statesStyles.skeleton} ${styles.waiting}`} />
      </div>
    </div>
  );
}

function FailedOverview({ error, onRetry }: { error: Error; onRetry: () => void }) {
  usePage({ title: 'Test Run', back: runsListLink });
  const isMissing = 'status' in error && error.status === 404;
  return (
    <FailedState
      title={isMissing ? 'Test Run not found, or you have no access' : 'The overview could not be loaded'}
      message={isMissing ? undefined : error.message}
      onRetry={isMissing ? undefined : onRetry}
      link={{ to: runsListLink.to, label: 'All test runs' }}
    />
  );
}
