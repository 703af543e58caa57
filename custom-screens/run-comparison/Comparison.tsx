import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNotify } from 'react-admin';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { allowedFields, isGranted } from '../../src/engine/access/access-decision';
import { canDo } from '../../src/engine/access/can-do';
import { formatNumber } from '../../src/engine/formats/numbers';
import { NoAccess } from '../../src/app/states/NoAccess';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useEvaluationContext } from '../../src/app/data/useEvaluationContext';
import { copyText } from '../../src/app/fields/shareLink/shareUrl';
import { Icon } from '../../src/app/icons/Icon';
import { PageActions, usePage } from '../../src/app/layout/page';
import { TabBar, tabPanel } from '../../src/app/layout/TabBar';
import { FailedState } from '../../src/app/states/FailedState';
import type { ComparedTest, RunComparison } from '../../src/product/answers/run-comparison';
import { useDefect } from '../defect/useDefect';
import { runsListLink } from '../test-runner/runsList';
import { useRun } from '../test-runner/useRun';
import type { Run } from '../test-runner/runnerApi';
import { causes, comparisonPath, useComparison, useRetest, type ComparedIds } from './comparisonApi';
import { ComparedRuns } from './ComparedRuns';
import { ComparedTests, entryOf, inShownOrder } from './ComparedTests';
import { comparisonText } from './comparisonText';
import { FailurePanel } from './FailurePanel';
import { useComparisonKeys } from './useComparisonKeys';
import * as styles from './run-comparison.module.css';

/** Two runs of a project beside each other: what fails now, what still fails, what was fixed, and why. */
export default function Comparison() {
  const params = useParams();
  const [id, otherId] = [Number(params.id), Number(params.other)];
  const base = Number(useSearchParams()[0].get('base')) || undefined;
  const { registry } = useDefinitions();
  const isKnown = registry.get('test-runs') && registry.get('run-entries');
  if (!isKnown || !Number.isSafeInteger(id) || !Number.isSafeInteger(otherId)) return <NoAccess />;
  return <LoadedComparison {...{ id, otherId, base }} />;
}

function LoadedComparison({ id, otherId, base = Math.min(id, otherId) }: ComparedIds) {
  const comparison = useComparison({ id, otherId, base });
  const run = useRun(base === id ? otherId : id);
  const isLoaded = comparison.data !== undefined && !comparison.isPlaceholderData && run.data !== undefined;
  const [shownData, setShownData] = useState<{ comparison: RunComparison; run: Run }>();
  if (isLoaded && (shownData?.comparison !== comparison.data || shownData.run !== run.data))
    setShownData({ comparison: comparison.data, run: run.data });
  const keys = shownData?.comparison.runs.map(({ key, name }) => key ?? name).join(' and ');
  usePage({ title: keys ? `Compare ${keys}` : 'Compare runs', back: runsListLink });
  const error = comparison.error ?? run.error;
  // Runs that are chosen for others stay in view with the focus until the others have loaded.
  if (shownData && (isLoaded || !error)) return <ComparisonScreen {...shownData} />;
  if (error)
    return (
      <FailedState
        title="The runs could not be compared"
        message={error.message}
        onRetry={() => void Promise.all([comparison.refetch(), run.refetch()])}
        link={runsListLink}
      />
    );
  return (
    <p className={styles.nothing} role="status">
      Loading…
    </p>
  );
}

/** The line below the tabs goes on below the button beside them. */
const tabRow = {
  alignItems: 'center',
  pr: 'var(--gutter)',
  boxShadow: 'inset 0 -1px var(--line)',
  '& > [role=tablist]': { flex: 1, minWidth: 0 },
};

const tabNames = ['differences', 'all'] as const;
type TabName = (typeof tabNames)[number];

function ComparisonScreen({ comparison, run }: { comparison: RunComparison; run: Run }) {
  const [tab, setTab] = useState<TabName>('differences');
  const [chosenId, choose] = useState<number>();
  const runIds = comparison.runs.map(({ id }) => id).join();
  const [shownRunIds, setShownRunIds] = useState(runIds);
  if (shownRunIds !== runIds) {
    setShownRunIds(runIds);
    choose(undefined);
  }
  const differences = comparison.tests.filter(({ change }) => change !== 'same');
  const tests = inShownOrder(tab === 'all' ? comparison.tests : differences);
  const chosenTest = tests.find((test) => entryOf(test) === chosenId);
  const failures = comparison.tests.filter(({ change }) => change === 'new_failure' || change === 'still_failing');
  const explainedFailures = failures.filter(({ cause, defect }) => cause !== null || defect !== null);
  const mayExplain = useMayEdit(run, 'cause');
  const mayNote = useMayEdit(run, 'cause_note');
  const createDefect = useCreateDefect(run, mayExplain);
  useComparisonKeys({ tests, chosenId, choose, mayExplain, createDefect });
  const notify = useNotify();
  const copy = async () => {
    const isCopied = await copyText(comparisonText(comparison.runs, inShownOrder(differences)));
    if (isCopied) notify('The differences are copied.', { type: 'success' });
    else notify('The browser does not allow copying here.', { type: 'error' });
  };
  const navigate = useNavigate();
  const [baseRun, comparedRun] = comparison.runs;
  return (
    <div className={styles.screen}>
      <PageActions>
        <Button variant="outlined" startIcon={<Icon name="copy" />} onClick={() => void copy()}>
          Copy as text
        </Button>
        <RetestButton {...{ comparison, run }} />
      </PageActions>
      <div className={styles.main}>
        <ComparedRuns comparison={comparison} project={run.project_id} />
        <Stack direction="row" sx={tabRow}>
          <TabBar
            id="comparison"
            label="Tests"
            tabs={[
              { name: 'differences', label: `Differences ${differences.length}` },
              { name: 'all', label: `All tests ${comparison.tests.length}` },
            ]}
            chosenTab={tab}
            onChoose={setTab}
          />
          {baseRun && comparedRun && (
            <Button
              startIcon={<Icon name="sort" />}
              title={`Compare ${baseRun.key ?? baseRun.name} with ${comparedRun.key ?? comparedRun.name}`}
              onClick={() => void navigate(comparisonPath(comparedRun.id, baseRun.id))}
            >
              Swap
            </Button>
          )}
        </Stack>
        <div className={styles.panel} {...tabPanel('comparison', tab)}>
          {tests.length === 0 ? (
            <p className={styles.nothing}>Both runs have the same results.</p>
          ) : (
            <ComparedTests {...{ tests, chosenId }} baseKey={comparison.runs[0]?.key ?? null} onChoose={choose} />
          )}
        </div>
        <footer className={styles.foot}>
          <span>
            <kbd>J</kbd> <kbd>K</kbd> next, previous
          </span>
          {mayExplain &&
            causes.map(({ value, label }, index) => (
              <span key={value}>
                <kbd>{index + 1}</kbd> {label.toLowerCase()}
              </span>
            ))}
          {createDefect && (
            <span>
              <kbd>D</kbd> defect
            </span>
          )}
          <span className={styles.grow} />
          <span className="num" role="status">
            {failures.length === 0
              ? 'Nothing fails'
              : `${explainedFailures.length} of ${failures.length} failures have a cause`}
          </span>
        </footer>
      </div>
      {chosenTest && (
        <FailurePanel
          test={chosenTest}
          {...{ run, tests, mayExplain, mayNote, createDefect }}
          runs={comparison.runs}
          onChoose={choose}
          onClose={() => choose(undefined)}
        />
      )}
    </div>
  );
}

const failedResults: readonly string[] = ['failed', 'broken', 'blocked'];

/** Whether a test got worse: it fails or is blocked, and was not before, or was not there. */
const isWorse = ({ change, first, second }: ComparedTest): boolean =>
  change === 'new_failure' ||
  (change === 'added' && second !== null && failedResults.includes(second.result)) ||
  (change === 'other' && second?.result === 'blocked' && first?.result !== 'blocked');

/**
 * Starts a new run with the tests that got worse; nothing where none did, for who may not, or where builds run them; a
 * test that fails in an earlier run than the base got better since.
 */
function RetestButton({ comparison, run }: { comparison: RunComparison; run: Run }) {
  const { actor } = useDefinitions();
  const worseIds = comparison.tests
    .filter((test) => isWorse(test) && test.test_case_id !== null)
    .flatMap(({ second }) => second?.id ?? []);
  const retest = useRetest(worseIds);
  const mayStart = !actor.viewer && ['test-runs', 'run-entries'].every((name) => isGranted(actor, name, 'create'));
  const [baseRun, comparedRun] = comparison.runs;
  const isSwapped = baseRun !== undefined && comparedRun !== undefined && baseRun.id > comparedRun.id;
  if (!mayStart || isSwapped || worseIds.length === 0) return null;
  const count = worseIds.length === 1 ? 'one test' : `${formatNumber(worseIds.length)} tests`;
  return (
    <Button
      variant="contained"
      startIcon={<Icon name="refresh" />}
      disabled={retest.isPending}
      title={`A new run with what got worse in ${run.key}`}
      onClick={() => retest.mutate()}
    >
      Retest {count}
    </Button>
  );
}

/** Whether the user may say why tests of a run failed, or note it: a test of it stands for all. */
function useMayEdit(run: Run, field: 'cause' | 'cause_note'): boolean {
  const { registry, actor } = useDefinitions();
  const definition = registry.getOrThrow('run-entries');
  const evaluationContext = useEvaluationContext(definition);
  const entry = { id: 0, run_id: run.id, run };
  return (
    run.state !== 'closed' &&
    canDo(actor, definition, 'edit', entry, evaluationContext) &&
    allowedFields(actor, definition, 'edit', entry, evaluationContext).has(field)
  );
}

/** Opens the dialog of a new defect for a test of the compared run; undefined: the user may not create one, or link it. */
function useCreateDefect(run: Run, mayExplain: boolean): ((entry: number) => void) | undefined {
  const queryClient = useQueryClient();
  const { create } = useDefect(run, () => void queryClient.invalidateQueries());
  return create && mayExplain ? (entry) => create(entry) : undefined;
}
