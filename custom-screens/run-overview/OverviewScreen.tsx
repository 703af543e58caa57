import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { isGranted } from '../../src/engine/access/access-decision';
import { formatNumber } from '../../src/engine/formats/numbers';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { Tiles, type TileData } from '../../src/app/charts/Tiles';
import { Icon } from '../../src/app/icons/Icon';
import { PageActions, usePage } from '../../src/app/layout/page';
import { TabBar, tabPanel, type Tab } from '../../src/app/layout/TabBar';
import { FailedState } from '../../src/app/states/FailedState';
import * as statesStyles from '../../src/app/states/states.module.css';
import { phone } from '../../src/app/theme/overrides';
import { runsListLink } from '../test-runner/runsList';
import { runStateLabels, takesResults } from '../results/runStates';
import { ActivityTab } from './ActivityTab';
import { Burndown } from './Burndown';
import { EntriesTab } from './EntriesTab';
import { FailuresTab } from './FailuresTab';
import { formatSeconds } from './formatSeconds';
import { LoadingNote } from './LoadingNote';
import { LinkedTasksTab, linkedTasks } from './LinkedTasksTab';
import type { Overview, OverviewEntry, OverviewRun } from './overviewApi';
import { OverviewMenu } from './OverviewMenu';
import { RunCard } from './RunCard';
import { useMatching, useOverviewEntries } from './useOverview';
import * as styles from './run-overview.module.css';

interface OverviewScreenProps {
  run: OverviewRun;
  overview: Overview;
}

/** Up to this width the bar has room for the title and the main button only. */
const narrowQuery = '@media (max-width: 1360px)';

const tabNames = ['entries', 'failures', 'tasks', 'activity'] as const;
type TabName = (typeof tabNames)[number];
const noEntries: readonly OverviewEntry[] = [];

/** The figures of a run above, its tests below. */
export function OverviewScreen({ run, overview }: OverviewScreenProps) {
  const { actor } = useDefinitions();
  const isPhone = useMediaQuery(phone, { noSsr: true });
  const isNarrow = useMediaQuery(narrowQuery, { noSsr: true });
  const [tab, setTab] = useTab();
  const [now] = useState(() => Date.now());
  const scroller = useRef<HTMLDivElement>(null);
  const entries = useOverviewEntries(run.id);
  const matchingTests = useMatching(run);
  const loadedEntries = entries.data ?? noEntries;
  const failures = overview.failures.reduce((sum, group) => sum + group.entries.length, 0);
  const tabs: Tab<TabName>[] = [
    { name: 'entries', label: tabLabel('Entries', overview.total) },
    { name: 'failures', label: tabLabel('Failures', failures) },
    { name: 'tasks', label: tabLabel('Linked tasks', linkedTasks(loadedEntries).length) },
    ...(isGranted(actor, 'attempts', 'list') ? [{ name: 'activity', label: 'Activity' } as const] : []),
  ];
  usePage({ title: run.name, note: run.key, back: runsListLink, record: isPhone ? undefined : run.key });
  return (
    <>
      <PageActions>
        {!isNarrow && <RunState run={run} />}
        <OverviewMenu run={run} isNarrow={isNarrow} />
        {!isPhone && <RunButton run={run} overview={overview} />}
      </PageActions>
      <div className={styles.screen} ref={scroller}>
        {isNarrow && <RunState run={run} />}
        <div className={styles.top}>
          <Stack
            spacing={3}
            sx={{ minWidth: 0, '@media (min-width: 900px) and (max-width: 1199px)': { display: 'contents' } }}
          >
            <RunCard run={run} overview={overview} entries={loadedEntries} />
            <div className={styles.figures}>
              <Tiles label="Figures" tiles={figuresOf(overview, isPhone)} />
            </div>
          </Stack>
          <Burndown {...{ run, overview, now }} />
        </div>
        <LoadingNote parts={overview.loading} />
        {matchingTests.count > 0 && (
          <p className={styles.matching} role="status">
            <Icon name="filter" />
            <span>
              {matchingTests.count === 1
                ? 'One more test matches the filter of this run now.'
                : `${formatNumber(matchingTests.count)} more tests match the filter of this run now.`}
            </span>
            <Button variant="outlined" disabled={matchingTests.isAdding} onClick={matchingTests.add}>
              {matchingTests.count === 1 ? 'Add it' : `Add ${formatNumber(matchingTests.count)}`}
            </Button>
          </p>
        )}
        <TabBar id="run" label="Of the run" tabs={tabs} chosenTab={tab} onChoose={setTab} />
        <div {...tabPanel('run', tab)}>
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
        {isPhone && (
          <div className={styles.phoneBar}>
            <Button variant="outlined" size="large" component={Link} to={`/test-runs/${run.id}/report`}>
              Report
            </Button>
            <RunButton run={run} overview={overview} />
          </div>
        )}
      </div>
    </>
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

function RunState({ run }: { run: OverviewRun }) {
  const isOpen = takesResults(run.state);
  return (
    <span className={styles.runState} data-open={isOpen}>
      <Icon name={isOpen ? 'play' : 'lock'} size={14} />
      {runStateLabels[run.state]}
    </span>
  );
}

function RunButton({ run, overview }: OverviewScreenProps) {
  if (run.source === 'machines' || overview.total === 0) return null;
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

function figuresOf(overview: Overview, isPhone: boolean): readonly TileData[] {
  const { counts, total, pass_rate, elapsed_seconds, remaining_seconds, new_failures, earlier: earlierRun } = overview;
  const runCount = total - counts.not_run;
  const remainingText =
    remaining_seconds === null || counts.not_run === 0 ? undefined : formatSeconds(remaining_seconds);
  const totalTime = remaining_seconds === null ? undefined : formatSeconds(elapsed_seconds + remaining_seconds);
  return [
    {
      key: 'pass_rate',
      label: `Pass rate of ${formatNumber(runCount)} run`,
      count: pass_rate === null ? '–' : `${formatNumber(pass_rate)}%`,
      tone: pass_rate === null ? undefined : 'good',
    },
    {
      key: 'remaining',
      label: remainingText && isPhone ? `Remaining, ${remainingText} to go` : 'Remaining',
      count: counts.not_run,
    },
    ...(isPhone
      ? []
      : [
          {
            key: 'elapsed',
            label: totalTime && counts.not_run > 0 ? `Elapsed of ${totalTime}` : 'Elapsed',
            count: formatSeconds(elapsed_seconds),
          },
        ]),
    {
      key: 'new_failures',
      label: earlierRun?.key ? `New failures since ${earlierRun.key}` : 'New failures',
      count: new_failures,
      tone: 'bad',
      to: { search: '?tab=failures' },
    },
    { key: 'flaky', label: 'Flaky', count: counts.flaky },
  ];
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
