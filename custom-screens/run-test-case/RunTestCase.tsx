import Button from '@mui/material/Button';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemText from '@mui/material/ListItemText';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Navigate, useNavigate, useParams } from 'react-router-dom';
import { isGranted } from '../../src/engine/access/access-decision';
import { pagePath } from '../../src/engine/lists/row-actions';
import { reportError } from '../../src/app/data/ErrorToasts';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { Icon } from '../../src/app/icons/Icon';
import { usePage } from '../../src/app/layout/page';
import { fetchApi } from '../../src/app/session/api';
import { FailedState } from '../../src/app/states/FailedState';
import { NoAccess } from '../../src/app/states/NoAccess';
import { resultNames } from '../results/results';
import type { Run, Result } from '../test-runner/runnerApi';

interface TestCase {
  readonly key: string;
  readonly name: string;
  readonly project_id: number;
}

/** A test of the case in a run. */
interface Entry {
  readonly id: number;
  readonly result: Result;
  readonly run: Pick<Run, 'id' | 'key' | 'name' | 'state'>;
  readonly configuration: { readonly name: string } | null;
}

/**
 * Runs a test case: it leads to the runner where one open run waits for it, and otherwise lets choose among the open runs
 * that have it and a new one.
 */
export default function RunTestCase() {
  const id = Number(useParams().id);
  const { registry } = useDefinitions();
  const isKnown = registry.get('test-cases') && registry.get('run-entries');
  if (!isKnown || !Number.isSafeInteger(id)) return <NoAccess />;
  return <Runs key={id} id={id} />;
}

function Runs({ id }: { id: number }) {
  const options = { retry: false, meta: { quiet: true } } as const;
  const testCase = useQuery({
    queryKey: ['test-cases', 'run', id],
    queryFn: async ({ signal }) => (await fetchApi<{ data: TestCase }>(`/test-cases/${id}`, { signal })).data,
    ...options,
  });
  const entries = useQuery({
    queryKey: ['run-entries', 'getList', 'run', id],
    queryFn: async ({ signal }) => {
      const condition = { test_case_id: id, run_id: { $some: { state: ['planned', 'open'] } } };
      const query = new URLSearchParams({ where: JSON.stringify(condition), range: '[0,49]', sort: '["id","DESC"]' });
      return (await fetchApi<{ data: Entry[] }>(`/run-entries?${query}`, { signal })).data;
    },
    // It may have been run a moment ago.
    gcTime: 0,
    ...options,
  });
  usePage({
    title: testCase.data ? `Run ${testCase.data.key}` : 'Run',
    note: testCase.data?.name,
    back: { to: pagePath('test-cases', id), label: 'Test Case' },
  });
  const error = testCase.error ?? entries.error;
  if (error)
    return (
      <FailedState
        title="The test case could not be loaded"
        message={error.message}
        onRetry={() => void Promise.all([testCase.refetch(), entries.refetch()])}
        link={{ to: '/test-cases', label: 'All test cases' }}
      />
    );
  if (!testCase.data || !entries.data)
    return (
      <p role="status" className="unseen">
        Loading…
      </p>
    );
  const waitingEntries = entries.data.filter(({ result }) => result === 'not_run');
  const [firstEntry] = waitingEntries;
  if (firstEntry && waitingEntries.length === 1) return <Navigate to={runnerPath(firstEntry)} replace />;
  return <Choice id={id} testCase={testCase.data} entries={entries.data} />;
}

const runnerPath = ({ id, run }: Entry) => `/test-runs/${run.id}/run?entry=${id}`;

interface ChoiceProps {
  id: number;
  testCase: TestCase;
  entries: readonly Entry[];
}

/** The tests of a case in open runs, and a button for a new run. */
function Choice({ id, testCase, entries }: ChoiceProps) {
  const { actor } = useDefinitions();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const start = useMutation({
    mutationFn: async () => {
      const json = { project_id: testCase.project_id, name: testCase.name.slice(0, 200), test_cases: [id] };
      return (await fetchApi<{ data: Run }>('/test-runs/start', { method: 'POST', json })).data;
    },
    onSuccess: async (run) => {
      await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'getList' });
      void navigate(`/test-runs/${run.id}/run`, { replace: true });
    },
    onError: reportError,
  });
  return (
    <Stack sx={{ gap: 2, maxWidth: 640, px: 'var(--gutter)', py: 3 }}>
      <Typography component="h2" sx={{ fontSize: 16, fontWeight: 600 }}>
        {entries.length === 0 ? 'No open run has this test case' : 'Open runs with this test case'}
      </Typography>
      {entries.length > 0 && (
        <List disablePadding aria-label="Open runs" sx={{ border: '1px solid var(--line)', borderRadius: 'var(--r)' }}>
          {entries.map((entry) => (
            <ListItem key={entry.id} disablePadding>
              <ListItemButton component={Link} to={runnerPath(entry)}>
                <ListItemText
                  primary={`${entry.run.key} ${entry.run.name}`}
                  secondary={[
                    entry.configuration?.name,
                    resultNames[entry.result === 'broken' ? 'failed' : entry.result],
                  ]
                    .filter(Boolean)
                    .join(', ')}
                />
              </ListItemButton>
            </ListItem>
          ))}
        </List>
      )}
      {isGranted(actor, 'test-runs', 'create') && isGranted(actor, 'run-entries', 'create') && (
        <div>
          <Button
            variant={entries.length === 0 ? 'contained' : 'outlined'}
            startIcon={<Icon name="play" />}
            aria-disabled={start.isPending}
            onClick={() => !start.isPending && start.mutate()}
          >
            New run with this test
          </Button>
        </div>
      )}
    </Stack>
  );
}
