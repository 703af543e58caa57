import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { isGranted } from '../../src/engine/access/access-decision';
import { ActionsContext, useActions } from '../../src/app/actions/useActions';
import { canDo } from '../../src/engine/access/can-do';
import { formatNumber } from '../../src/engine/formats/numbers';
import { areSingleKeysOn, useCommands } from '../../src/app/commands/commands';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useEvaluationContext } from '../../src/app/data/useEvaluationContext';
import { Icon } from '../../src/app/icons/Icon';
import { PageActions, usePage } from '../../src/app/layout/page';
import { TabBar, tabPanel, type Tab } from '../../src/app/layout/TabBar';
import { useRemembered } from '../../src/app/preferences/useRemembered';
import { FailedState } from '../../src/app/states/FailedState';
import * as statesStyles from '../../src/app/states/states.module.css';
import { phone } from '../../src/app/theme/overrides';
import { runsListLink } from '../test-runner/runsList';
import { takesResults } from '../results/runStates';
import { ActivityTab } from './ActivityTab';
import { Details } from './Details';
import { EndCard } from './EndCard';
import { EntriesTab } from './EntriesTab';
import { FailuresTab } from './FailuresTab';
import { LoadingNote } from './LoadingNote';
import { LinkedTasksTab, linkedTasks } from './LinkedTasksTab';
import type { Overview, OverviewEntry, OverviewRun } from './overviewApi';
import { OverviewMenu } from './OverviewMenu';
import { RunCard } from './RunCard';
import { RunState } from './RunState';
import { mayAssignTests } from './useAssign';
import { useMatching, useOverviewEntries } from './useOverview';
import * as styles from './run-overview.module.css';

interface OverviewScreenProps {
  run: OverviewRun;
  overview: Overview;
}

/** Below this the bar has no room for the state beside the name of the run. */
const smallQuery = '@media (max-width: 899px)';
/** Up to this width the details lie over the tests. */
const narrowQuery = '@media (max-width: 1100px)';

const tabNames = ['entries', 'failures', 'tasks', 'activity'] as const;
type TabName = (typeof tabNames)[number];
const noEntries: readonly OverviewEntry[] = [];

/** How far a run is above, its tests below, its properties beside them on request. */
export function OverviewScreen({ run, overview }: OverviewScreenProps) {
  const { registry, actor } = useDefinitions();
  const evaluationContext = useEvaluationContext();
  const navigate = useNavigate();
  const isPhone = useMediaQuery(phone, { noSsr: true });
  const isSmall = useMediaQuery(smallQuery, { noSsr: true });
  const isNarrow = useMediaQuery(narrowQuery, { noSsr: true });
  const [tab, setTab] = useTab();
  const [hasDetails, setDetails] = useRemembered('assay.run-overview.details', false);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const scroller = useRef<HTMLDivElement>(null);
  const definition = registry.getOrThrow('test-runs');
  const actions = useActions(definition, undefined);
  const entries = useOverviewEntries(run.id);
  const loadedEntries = entries.data ?? noEntries;
  const failures = overview.failures.reduce((sum, group) => sum + group.entries.length, 0);
  const tabs: Tab<TabName>[] = [
    { name: 'entries', label: tabLabel('Tests', overview.total) },
    { name: 'failures', label: tabLabel('Failures', failures) },
    { name: 'tasks', label: tabLabel('Defects', linkedTasks(loadedEntries).length) },
    ...(isGranted(actor, 'attempts', 'list') ? [{ name: 'activity', label: 'Activity' } as const] : []),
  ];
  usePage({ title: run.name, note: run.key, back: runsListLink, record: isPhone ? undefined : run.key });
  const isDetailsShown = isNarrow ? isDrawerOpen : hasDetails;
  const toggleDetails = () => (isNarrow ? setDrawerOpen(!isDrawerOpen) : setDetails(!hasDetails));
  const mayEdit = canDo(actor, definition, 'edit', { ...run }, evaluationContext);
  useCommands(() => [
    { id: 'run details', label: 'Details of the run', icon: 'panel', keys: 'i', run: toggleDetails },
    ...(hasTestsToRun({ run, overview })
      ? [
          {
            id: 'run tests',
            label: 'Run tests',
            icon: 'play',
            keys: 'r',
            run: () => void navigate(`/test-runs/${run.id}/run`),
          },
        ]
      : []),
    ...(mayEdit
      ? [
          {
            id: 'edit run',
            label: 'Edit the run',
            icon: 'pencil',
            keys: 'e',
            run: () => void navigate(`/test-runs/${run.id}`),
          },
        ]
      : []),
  ]);
  const details = <Details {...{ run, overview }} entries={loadedEntries} onClose={toggleDetails} />;
  const isDone = overview.total > 0 && overview.counts.not_run === 0 && takesResults(run.state);
  const Card = isDone && run.source === 'people' ? EndCard : RunCard;
  return (
    <ActionsContext value={actions}>
      <PageActions>
        {!isSmall && <RunState run={run} notRun={overview.counts.not_run} />}
        {!isNarrow && (
          <IconButton
            aria-label="Details"
            title="Details (I)"
            aria-pressed={isDetailsShown}
            sx={{ '&[aria-pressed=true]': { background: 'var(--tint)', color: 'var(--accent-ink)' } }}
            onClick={toggleDetails}
          >
            <Box component="span" sx={{ display: 'grid', transform: 'scaleX(-1)' }}>
              <Icon name="panel" size={18} />
            </Box>
          </IconButton>
        )}
        <OverviewMenu {...{ run, overview, mayEdit }} onDetails={isNarrow ? toggleDetails : undefined} />
        {!isPhone && Card === RunCard && <RunButton run={run} overview={overview} />}
      </PageActions>
      <div className={styles.screen}>
        <div className={styles.main} ref={scroller}>
          {isSmall && (
            <div className={styles.smallState}>
              <RunState run={run} notRun={overview.counts.not_run} />
            </div>
          )}
          <Card run={run} overview={overview} entries={loadedEntries} />
          <LoadingNote parts={overview.loading} />
          <div className={styles.tabLine}>
            <TabBar id="run" label="Of the run" tabs={tabs} chosenTab={tab} onChoose={setTab} />
            <MatchingNote run={run} />
          </div>
          <div className={styles.panel} {...tabPanel('run', tab)}>
            {tab === 'activity' ? (
              <ActivityTab run={run} />
            ) : entries.error && !entries.data ? (
              <FailedState
                title="The tests could not be loaded"
                message={entries.error.message}
                onRetry={() => void entries.refetch()}
              />
            ) : entries.data === undefined ? (
              <ReportLoading />
            ) : tab === 'entries' ? (
              <EntriesTab run={run} entries={loadedEntries} scroller={scroller} isPhone={isPhone} />
            ) : tab === 'failures' ? (
              <FailuresTab run={run} overview={overview} entries={loadedEntries} />
            ) : (
              <LinkedTasksTab run={run} entries={loadedEntries} />
            )}
          </div>
          {isPhone ? (
            <div className={styles.phoneBar}>
              <Button variant="outlined" size="large" component={Link} to={`/test-runs/${run.id}/report`}>
                Report
              </Button>
              <RunButton run={run} overview={overview} />
            </div>
          ) : (
            <Foot
              count={overview.total}
              mayRun={hasTestsToRun({ run, overview })}
              mayAssign={tab === 'entries' && loadedEntries.length > 0 && mayAssignTests(run, actor)}
            />
          )}
        </div>
        {isNarrow ? (
          <Drawer anchor="right" open={isDrawerOpen} onClose={toggleDetails}>
            {details}
          </Drawer>
        ) : (
          hasDetails && details
        )}
      </div>
      {actions.dialogs}
    </ActionsContext>
  );
}

/** How many tests match the kept filters of the run now that it does not have, and a button that adds them. */
function MatchingNote({ run }: { run: OverviewRun }) {
  const matchingTests = useMatching(run);
  if (matchingTests.count === 0) return null;
  const isSingle = matchingTests.count === 1;
  return (
    <p className={styles.matching} role="status">
      <Icon name="filter" />
      <span>
        {isSingle
          ? 'One more test matches the filter of this run now.'
          : `${formatNumber(matchingTests.count)} more tests match the filter of this run now.`}
      </span>
      <Button variant="outlined" size="small" disabled={matchingTests.isAdding} onClick={matchingTests.add}>
        {isSingle ? 'Add it' : `Add ${formatNumber(matchingTests.count)}`}
      </Button>
    </p>
  );
}

interface FootProps {
  count: number;
  mayRun: boolean;
  mayAssign: boolean;
}

function Foot({ count, mayRun, mayAssign }: FootProps) {
  const keys = [...(mayRun ? [['R', 'run']] : []), ...(mayAssign ? [['A', 'assign']] : []), ['I', 'details']];
  return (
    <footer className={styles.foot}>
      <span className="num">{count === 1 ? 'One test' : `${formatNumber(count)} tests`}</span>
      <span className={styles.grow} />
      {areSingleKeysOn() &&
        keys.map(([key, words]) => (
          <span key={key}>
            <kbd>{key}</kbd> {words}
          </span>
        ))}
    </footer>
  );
}

const tabLabel = (label: string, count: number) => (
  <>
    {label}{' '}
    <Box className="num" component="span" sx={{ color: 'var(--t3)', fontWeight: 400 }}>
      {formatNumber(count)}
    </Box>
  </>
);

/** The chosen tab is in the address, so that a link leads to it. */
function useTab(): [TabName, (tab: TabName) => void] {
  const [parameters, setParameters] = useSearchParams();
  const requestedTab = parameters.get('tab');
  const tab = tabNames.find((name) => name === requestedTab) ?? 'entries';
  return [tab, (name) => setParameters(name === 'entries' ? {} : { tab: name }, { replace: true })];
}

const hasTestsToRun = ({ run, overview }: OverviewScreenProps) => run.source === 'people' && overview.total > 0;

function RunButton({ run, overview }: OverviewScreenProps) {
  if (!hasTestsToRun({ run, overview })) return null;
  const [verb, rest] = !takesResults(run.state)
    ? ['Show', 'tests']
    : [overview.counts.not_run === overview.total ? 'Start' : 'Continue', 'running'];
  return (
    <Button
      variant="contained"
      size="large"
      className={styles.run}
      startIcon={<Icon name="play" />}
      component={Link}
      to={`/test-runs/${run.id}/run`}
    >
      {verb}
      <span className={styles.runRest}>&nbsp;{rest}</span>
    </Button>
  );
}

function ReportLoading() {
  return (
    <div role="status">
      <span className="unseen">Loading…</span>
      {Array.from({ length: 8 }, (_, index) => (
        <Box
          key={index}
          className={statesStyles.skeleton}
          component="span"
          sx={{ height: 16, my: 3, mx: 'var(--gutter)' }}
          aria-hidden="true"
        />
      ))}
    </div>
  );
}
