import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { formatInstant } from '../../src/engine/formats/dates';
import { lastOf } from '../../src/engine/values/lookups';
import { Icon } from '../../src/app/icons/Icon';
import { relativeTime } from '../../src/app/layout/relativeTime';
import { fetchApi } from '../../src/app/session/api';
import { FailedState } from '../../src/app/states/FailedState';
import { StoredEvidence } from '../evidence/StoredEvidence';
import { filesOfAttempt, type AttemptFiles } from '../evidence/storedFiles';
import { ResultGlyph } from '../results/ResultNumbers';
import { resultLabels, type Result } from '../test-runner/runnerApi';
import { resultWord } from './groups';
import type { OverviewRun } from './overviewApi';
import * as styles from './run-overview.module.css';

/** An attempt, as the activity of its run shows it. */
interface Attempt extends AttemptFiles {
  readonly id: number;
  readonly result: Result;
  readonly comment: string | null;
  readonly message: string | null;
  readonly source: 'people' | 'machines';
  readonly created_at: string;
  readonly created_by: { readonly name: string } | null;
  readonly entry: { readonly id: number; readonly name: string } | null;
}

const perPage = 50;

/** The attempts of a run, the latest first, each with its person and time. */
export function ActivityTab({ run }: { run: OverviewRun }) {
  const attempts = useInfiniteQuery({
    queryKey: ['attempts', 'activity', run.id],
    queryFn: ({ pageParam, signal }) => fetchAttempts(run.id, pageParam, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.length < perPage ? undefined : lastOf(last).id),
    retry: false,
    meta: { quiet: true },
  });
  if (attempts.error && !attempts.data)
    return (
      <FailedState
        title="The activity could not be loaded"
        message={attempts.error.message}
        onRetry={() => void attempts.refetch()}
      />
    );
  const loadedAttempts = attempts.data?.pages.flat();
  if (!loadedAttempts) return <p className={styles.nothing}>Loading…</p>;
  return (
    <div className={styles.activity}>
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none' }} aria-label="Activity">
        {loadedAttempts.map((attempt) => (
          <li key={attempt.id}>
            <ResultGlyph result={resultWord(attempt.result)} />
            <span className={styles.activityText}>
              <span>
                <b>{attempt.created_by?.name ?? 'Somebody'}</b> {attempt.source === 'machines' ? 'sent' : 'set'}{' '}
                {resultLabels[attempt.result]} at{' '}
                {attempt.entry ? (
                  <Link
                    to={
                      run.source === 'people'
                        ? `/test-runs/${run.id}/run?entry=${attempt.entry.id}`
                        : `/run-entries/${attempt.entry.id}`
                    }
                  >
                    {attempt.entry.name}
                  </Link>
                ) : (
                  'a test'
                )}
              </span>
              <FirstLine text={attempt.comment ?? attempt.message} />
              <StoredEvidence files={filesOfAttempt(attempt)} />
            </span>
            <Box
              component="time"
              sx={{ flex: 'none', color: 'var(--t3)' }}
              dateTime={attempt.created_at}
              title={formatInstant(attempt.created_at)}
            >
              {relativeTime(attempt.created_at)}
            </Box>
          </li>
        ))}
      </Box>
      {loadedAttempts.length === 0 && <p className={styles.nothing}>Nothing was run yet.</p>}
      <Stack component="p" direction="row" sx={{ flexWrap: 'wrap', gap: 2, py: 3, px: 'var(--gutter)' }}>
        {attempts.hasNextPage && (
          <Button
            variant="outlined"
            disabled={attempts.isFetchingNextPage}
            onClick={() => void attempts.fetchNextPage()}
          >
            Show earlier results
          </Button>
        )}
        <Button component={Link} to={`/test-runs/${run.id}/history`} startIcon={<Icon name="history" />}>
          Changes of the run itself
        </Button>
      </Stack>
    </div>
  );
}

/** The attempts before one, so that results which arrive meanwhile move none to another page. */
async function fetchAttempts(run: number, beforeId: number | undefined, signal: AbortSignal): Promise<Attempt[]> {
  const condition = { 'entry_id.run_id': run, ...(beforeId !== undefined && { id: { $lt: beforeId } }) };
  const query = new URLSearchParams({
    where: JSON.stringify(condition),
    fields: 'result,comment,message,source,created_at,created_by,entry,evidence,steps',
    sort: JSON.stringify(['id', 'DESC']),
    range: JSON.stringify([0, perPage - 1]),
  });
  return (await fetchApi<{ data: Attempt[] }>(`/attempts?${query}`, { signal })).data;
}

function FirstLine({ text }: { text: string | null | undefined }) {
  return text ? <small>{text.split('\n', 1)[0]}</small> : null;
}
