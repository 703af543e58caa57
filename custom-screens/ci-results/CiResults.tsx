import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { formatInstant } from '../../src/engine/formats/dates';
import { formatNumber } from '../../src/engine/formats/numbers';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { NoAccess } from '../../src/app/states/NoAccess';
import { useEvaluationContext } from '../../src/app/data/useEvaluationContext';
import { Icon } from '../../src/app/icons/Icon';
import { PageActions, usePage } from '../../src/app/layout/page';
import { FailedState } from '../../src/app/states/FailedState';
import * as statesStyles from '../../src/app/states/states.module.css';
import { BuildTests } from './BuildTests';
import type { CiResults as Results } from '../../src/product/answers/ci-results';
import { resultFill, resultText } from '../results/results';
import { fetchBuild, fetchCiResults, type Build } from './ciApi';
import { testsOf } from './groups';
import * as styles from './ci-results.module.css';

const back = { to: '/test-runs?tab=automated', label: 'Automated runs' };
const quiet = { retry: false, meta: { quiet: true } } as const;

/** The failures of a build by cause, and the details of each test: of the build in the address, or of the latest. */
export default function CiResults({ latestBuild }: { latestBuild?: number }) {
  const idInAddress = Number(useParams().id);
  const id = latestBuild ?? idInAddress;
  const { registry } = useDefinitions();
  if (!registry.get('test-runs') || !registry.get('run-entries') || !Number.isSafeInteger(id)) return <NoAccess />;
  return <LoadedBuild key={id} id={id} isLatest={latestBuild !== undefined} />;
}

function LoadedBuild({ id, isLatest }: { id: number; isLatest: boolean }) {
  const build = useQuery({
    queryKey: ['test-runs', 'build', id],
    queryFn: ({ signal }) => fetchBuild(id, signal),
    ...quiet,
  });
  const results = useQuery({
    queryKey: ['run-entries', 'ci-results', id],
    queryFn: ({ signal }) => fetchCiResults(id, signal),
    ...quiet,
  });
  const { timeZone } = useEvaluationContext();
  const run = build.data;
  usePage({
    title: (!isLatest && run?.name) || 'CI Results',
    note: run && (isLatest ? run.key : `${run.key}, ${formatInstant(run.created_at, timeZone)}`),
    ...(!isLatest && { back }),
    flat: true,
  });
  const error = build.error ?? results.error;
  if (run && results.data) {
    return (
      <>
        <BuildActions build={run} />
        <div className={styles.screen}>
          <Summary build={run} results={results.data} />
          <BuildTests build={run} results={results.data} />
        </div>
      </>
    );
  }
  if (!error)
    return <span className={`${statesStyles.skeleton} ${styles.waiting}`} role="status" aria-label="Loading…" />;
  const isMissing = 'status' in error && error.status === 404;
  return (
    <FailedState
      title={isMissing ? 'Test Run not found, or you have no access' : 'The results could not be loaded'}
      message={isMissing ? undefined : error.message}
      onRetry={isMissing ? undefined : () => void Promise.all([build.refetch(), results.refetch()])}
      link={back}
    />
  );
}

function BuildActions({ build }: { build: Build }) {
  return (
    <PageActions>
      {build.branch && (
        <span className={styles.badge}>
          <span>{build.branch}</span>
          {build.commit && <code>{build.commit.slice(0, 7)}</code>}
        </span>
      )}
      {build.build_url && (
        <Button
          variant="outlined"
          href={build.build_url}
          target="_blank"
          rel="noreferrer"
          className={styles.openBuild}
          aria-label="Open build"
        >
          <Icon name="external" />
          <span>Open build</span>
        </Button>
      )}
    </PageActions>
  );
}

const order = ['passed', 'flaky', 'failed', 'broken', 'blocked', 'skipped', 'not_run'] as const;
const labels: Readonly<Record<(typeof order)[number], string>> = {
  passed: 'passed',
  flaky: 'flaky',
  failed: 'failed',
  broken: 'broken',
  blocked: 'blocked',
  skipped: 'skipped',
  not_run: 'not run',
};

function Summary({ build, results: { counts, seconds, previous, results } }: { build: Build; results: Results }) {
  const presentResults = order.map((name) => ({ name, count: counts[name] ?? 0 })).filter(({ count }) => count > 0);
  const newCount = testsOf(results, 'new').length;
  const words = presentResults.map(({ name, count }) => `${formatNumber(count)} ${labels[name]}`).join(', ');
  return (
    <div className={styles.summary}>
      <span className={styles.resultBar} role="img" aria-label={words}>
        {presentResults.map(({ name, count }) => (
          <i key={name} style={{ flexGrow: count, ...resultFill(name, 'control') }} />
        ))}
      </span>
      {presentResults.map(({ name, count }) => (
        <span key={name} className="num" style={resultText(name, 't2')}>
          {formatNumber(count)} {labels[name]}
        </span>
      ))}
      <span className="num">{minutes(seconds)}</span>
      <span>
        {previous
          ? `${formatNumber(newCount)} new since ${previous.key}`
          : `The first run${build.branch ? ` on ${build.branch}` : ''}`}
      </span>
    </div>
  );
}

const minutes = (seconds: number): string =>
  seconds < 60
    ? `${seconds.toFixed(1)} s`
    : `${Math.floor(seconds / 60)}m:${String(Math.round(seconds % 60)).padStart(2, '0')}s`;
