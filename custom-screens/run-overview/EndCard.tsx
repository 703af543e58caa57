import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { Link, useNavigate } from 'react-router-dom';
import { isGranted } from '../../src/engine/access/access-decision';
import { formatNumber } from '../../src/engine/formats/numbers';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { Icon } from '../../src/app/icons/Icon';
import { fetchApi } from '../../src/app/session/api';
import { ResultBar } from '../results/ResultNumbers';
import { resultNames } from '../results/results';
import { FinishButton } from '../test-runner/FinishButton';
import { formatSeconds } from './formatSeconds';
import type { Overview, OverviewEntry, OverviewRun } from './overviewApi';
import { useReportLink } from './useReportLink';
import * as styles from './run-overview.module.css';

interface EndCardProps {
  run: OverviewRun;
  overview: Overview;
  entries: readonly OverviewEntry[];
}

/** A run all of whose tests were run: how it went, and what to do next. */
export function EndCard({ run, overview, entries }: EndCardProps) {
  const { actor } = useDefinitions();
  const { counts } = overview;
  const course = describeCourse(overview, entries);
  const report = useReportLink(run);
  const retest = useRetest(run);
  const mayCopy = !actor.viewer && isGranted(actor, 'test-runs', 'create') && isGranted(actor, 'run-entries', 'create');
  return (
    <section className={styles.endCard} aria-label="Results">
      <Ticks />
      <div>
        <span className={styles.endMark}>
          <Icon name="check" size={20} />
        </span>
        <div>
          <h2>{describeResults(overview)}</h2>
          {course !== '' && <p>{course}</p>}
        </div>
        <div className={styles.endBar}>
          <ResultBar counts={counts} size="large" />
        </div>
        <div className={styles.endActions}>
          <FinishButton run={run} notRun={0} isWaiting={false} isPrimary staysHere />
          {counts.failed > 0 && mayCopy && (
            <Button
              variant="outlined"
              startIcon={<Icon name="refresh" />}
              disabled={retest.isPending}
              onClick={() => retest.mutate()}
            >
              Retest {formatNumber(counts.failed)} failed
            </Button>
          )}
          {report.address !== '' && (
            <Button variant="outlined" startIcon={<Icon name="link" />} onClick={() => void report.copy()}>
              Share report
            </Button>
          )}
          {overview.earlier && (
            <Button
              startIcon={<Icon name="columns" />}
              component={Link}
              to={`/test-runs/${run.id}/compare/${overview.earlier.id}`}
            >
              Compare with {overview.earlier.key ?? overview.earlier.name}
            </Button>
          )}
        </div>
      </div>
    </section>
  );
}

/** `24 of 24 run. 19 passed, 3 failed, 1 blocked.` */
function describeResults({ counts, total }: Overview): string {
  const parts = (['passed', 'flaky', 'failed', 'blocked', 'skipped'] as const)
    .filter((name) => counts[name] > 0)
    .map((name) => `${formatNumber(counts[name])} ${resultNames[name].toLowerCase()}`);
  return `${formatNumber(total)} of ${formatNumber(total)} run. ${parts.join(', ')}.`;
}

/** The time that the run took, by how many people, and its new failures. */
function describeCourse(
  { elapsed_seconds, new_failures, earlier: earlierRun }: Overview,
  entries: readonly OverviewEntry[],
): string {
  const names = new Set(entries.flatMap(({ run_by_user: person }) => (person ? [person.name] : [])));
  const people = names.size === 1 ? [...names][0] : `${formatNumber(names.size)} people`;
  const failures = new_failures === 1 ? 'one failure is' : `${formatNumber(new_failures)} failures are`;
  const parts = [
    [elapsed_seconds > 0 && formatSeconds(elapsed_seconds), names.size > 0 && `by ${people}`].filter(Boolean).join(' '),
    new_failures > 0 && earlierRun && `${failures} new since ${earlierRun.key ?? earlierRun.name}`,
  ].filter(Boolean);
  const course = parts.join(', ');
  return course === '' ? '' : `${course.charAt(0).toUpperCase()}${course.slice(1)}.`;
}

/** Starts a run with the tests that failed, and opens it. */
function useRetest(run: OverviewRun) {
  const navigate = useNavigate();
  const notify = useNotify();
  return useMutation({
    mutationFn: async () => {
      const json = { results: ['failed', 'broken'] };
      return (await fetchApi<{ data: { id: number } }>(`/test-runs/${run.id}/copy`, { method: 'POST', json })).data;
    },
    onSuccess: ({ id }) => void navigate(`/test-runs/${id}/run`),
    onError: (error) => notify(error.message, { type: 'error' }),
  });
}

const [tickRows, tickColumns] = [5, 11];

/** The ticks of the page for signing in, which fade to the left. */
function Ticks() {
  return (
    <svg className={styles.ticks} viewBox="0 0 420 132" preserveAspectRatio="xMaxYMid slice" aria-hidden="true">
      {Array.from({ length: tickRows * tickColumns }, (_, index) => {
        const [row, column] = [Math.floor(index / tickColumns), index % tickColumns];
        const x = 14 + column * 36 + (row % 2) * 18;
        return <path key={index} d={`M${x} ${12 + row * 26}l5 5 9-10`} opacity={0.06 + (0.3 * x) / 420} />;
      })}
    </svg>
  );
}
