import Box from '@mui/material/Box';
import { useMemo, useState } from 'react';
import { useParams } from 'react-router-dom';
import { NoAccess } from '../../src/app/states/NoAccess';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { usePage } from '../../src/app/layout/page';
import { FailedState } from '../../src/app/states/FailedState';
import * as statesStyles from '../../src/app/states/states.module.css';
import { useRun } from '../test-runner/useRun';
import type { Run } from '../test-runner/runnerApi';
import { CaseList } from './CaseList';
import { filterOfSelection, noSelection, selectedConfigurations, type Selection } from './selection';
import { SelectionPanel } from './SelectionPanel';
import { useConfigurations, useTestCases } from './useChoices';
import * as styles from './add-tests.module.css';

const back = { to: '/test-runs', label: 'Test Runs' };

/** Where the tests of a run are chosen: which test cases, on which configurations, and who runs them. */
export default function AddTests() {
  const id = Number(useParams().id);
  const { registry } = useDefinitions();
  const isKnown = registry.get('test-runs') && registry.get('run-entries') && registry.get('test-cases');
  if (!isKnown || !Number.isSafeInteger(id)) return <NoAccess />;
  return <LoadedRun key={id} id={id} />;
}

function LoadedRun({ id }: { id: number }) {
  const run = useRun(id);
  usePage({ title: 'Add tests', note: run.data && `${run.data.key} ${run.data.name}`, back });
  if (run.data?.state === 'closed') {
    return <FailedState title="This run is closed" message="Reopen it to add tests." link={back} />;
  }
  if (run.data) return <Chooser run={run.data} />;
  if (run.error) {
    return (
      <FailedState
        title="The test run could not be loaded"
        message={run.error.message}
        onRetry={() => void run.refetch()}
        link={back}
      />
    );
  }
  return (
    <Box
      className={statesStyles.skeleton}
      component="span"
      sx={{ height: 40, my: 4, mx: 'var(--gutter)' }}
      role="status"
      aria-label="Loading…"
    />
  );
}

function Chooser({ run }: { run: Run }) {
  const [selection, setSelection] = useState<Selection>(noSelection);
  const cases = useTestCases(run);
  const configurations = useConfigurations();
  const change = (part: Partial<Selection>) => setSelection((selectionBefore) => ({ ...selectionBefore, ...part }));
  const selectedChoices = useMemo(
    () => selectedConfigurations(selection, configurations.data ?? []),
    [configurations.data, selection],
  );
  return (
    <div className={styles.screen}>
      <CaseList {...cases} selected={selection.cases} onSelect={(selected) => change({ cases: selected })} />
      <SelectionPanel
        run={run}
        selection={selection}
        change={change}
        configurations={configurations.data ?? []}
        selectedChoices={selectedChoices}
        filter={filterOfSelection(selection, cases.cases, cases.state)}
      />
    </div>
  );
}
