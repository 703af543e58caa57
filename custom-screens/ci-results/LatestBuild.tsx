import { useQuery } from '@tanstack/react-query';
import { usePage } from '../../src/app/layout/page';
import { useListScope } from '../../src/app/preferences/listScope';
import { EmptyState } from '../../src/app/states/EmptyState';
import { FailedState } from '../../src/app/states/FailedState';
import * as statesStyles from '../../src/app/states/states.module.css';
import { fetchLatestBuild } from './ciApi';
import CiResults from './CiResults';
import * as styles from './ci-results.module.css';

/** The results of the latest build. */
export default function LatestBuild() {
  const scope = useListScope();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['test-runs', 'latest-build', scope?.id],
    queryFn: async ({ signal }) => (await fetchLatestBuild(scope?.id, signal)) ?? null,
    retry: false,
    meta: { quiet: true },
  });
  // With a build, its results set the title.
  if (data) return <CiResults latestBuild={data.id} />;
  return <WithoutBuild {...{ error, isPending }} onRetry={() => void refetch()} />;
}

interface WithoutBuildProps {
  isPending: boolean;
  error: Error | null;
  onRetry: () => void;
}

function WithoutBuild({ isPending, error, onRetry }: WithoutBuildProps) {
  usePage({ title: 'CI Results' });
  if (isPending)
    return <span className={`${statesStyles.skeleton} ${styles.waiting}`} role="status" aria-label="Loading…" />;
  if (error) return <FailedState title="The builds could not be loaded" message={error.message} onRetry={onRetry} />;
  return <EmptyState title="No builds yet" sentence="Builds send the reports of their tests to POST /api/results." />;
}
