import Button from '@mui/material/Button';
import ListSubheader from '@mui/material/ListSubheader';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNotify } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { isGranted } from '../../src/engine/access/access-decision';
import { formatNumber } from '../../src/engine/formats/numbers';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { Icon } from '../../src/app/icons/Icon';
import { fetchApi } from '../../src/app/session/api';
import type { CoveredRequirement, CoveringTest } from '../../src/product/answers/coverage';

interface OpenRun {
  readonly id: number;
  readonly key: string;
  readonly name: string;
}

interface RetestButtonProps {
  project: number;
  requirement: CoveredRequirement;
  tests: readonly CoveringTest[];
}

/** Runs test cases of a requirement again: those that did not pass, otherwise all of them; in an open run or in a new one. */
export function RetestButton({ project, requirement, tests }: RetestButtonProps) {
  const { actor } = useDefinitions();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const failed = tests.filter(({ result }) => result === 'failed' || result === 'blocked');
  const selectedTests = failed.length > 0 ? failed : tests;
  const retest = useRetest(project, requirement, selectedTests);
  const runs = useQuery({
    queryKey: ['test-runs', 'open runs', project],
    queryFn: async ({ signal }) =>
      (await fetchApi<{ data: readonly OpenRun[] }>(openRunsPath(project), { signal })).data,
    enabled: anchor !== null,
    retry: false,
    meta: { quiet: true },
  });
  if (actor.viewer || selectedTests.length === 0 || !isGranted(actor, 'run-entries', 'create')) return null;
  const close = () => setAnchor(null);
  const choose = (run?: OpenRun) => {
    close();
    retest.mutate(run);
  };
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<Icon name="play" />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        disabled={retest.isPending}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {failed.length > 0 ? `Retest ${formatNumber(failed.length)} failed` : 'Retest'}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={close}>
        <ListSubheader>
          {selectedTests.length === 1 ? 'Run it in' : `Run ${formatNumber(selectedTests.length)} tests in`}
        </ListSubheader>
        {isGranted(actor, 'test-runs', 'create') && (
          <MenuItem onClick={() => choose()}>
            <Icon name="plus" />A new run
          </MenuItem>
        )}
        {runs.error && <MenuItem disabled>{runs.error.message}</MenuItem>}
        {runs.isPending && <MenuItem disabled>Loading…</MenuItem>}
        {runs.data?.map((run) => (
          <MenuItem key={run.id} onClick={() => choose(run)}>
            <Icon name="play" />
            {run.key} {run.name}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

/** The latest open runs of people in a project. */
function openRunsPath(project: number): string {
  const filter = { project_id: project, state: ['planned', 'open'], source: 'people' };
  const query = new URLSearchParams({
    filter: JSON.stringify(filter),
    fields: 'key,name',
    sort: JSON.stringify(['id', 'DESC']),
    range: JSON.stringify([0, 19]),
  });
  return `/test-runs?${query}`;
}

/** Adds test cases to a run, or to a new one, and opens it. */
function useRetest(project: number, requirement: CoveredRequirement, tests: readonly CoveringTest[]) {
  const notify = useNotify();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (openRun: OpenRun | undefined) => {
      const test_cases = tests.map(({ test_case_id }) => test_case_id);
      if (!openRun) {
        const name = `Retest of ${requirement.key ?? requirement.name}`.slice(0, 200);
        const json = { project_id: project, name, test_cases };
        const { data: run } = await fetchApi<{ data: OpenRun & { tests: number } }>('/test-runs/start', {
          method: 'POST',
          json,
        });
        return { run, added: run.tests };
      }
      const { data } = await fetchApi<{ data: { added: number } }>(`/test-runs/${openRun.id}/tests`, {
        method: 'POST',
        json: { test_cases },
      });
      return { run: openRun, added: data.added };
    },
    onSuccess: ({ run, added: addedCount }) => {
      notify(
        addedCount === 0
          ? `${run.key} has them already: set their results there.`
          : addedCount === 1
            ? `One test was added to ${run.key}.`
            : `${formatNumber(addedCount)} tests were added to ${run.key}.`,
        { type: addedCount === 0 ? 'info' : 'success' },
      );
      void navigate(`/test-runs/${run.id}/run`);
    },
    onError: (error) => notify(error.message, { type: 'error' }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['test-runs'] }),
  });
}
