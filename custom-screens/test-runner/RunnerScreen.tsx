import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useNotify } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import { canDo } from '../../src/engine/access/can-do';
import { realUser } from '../../src/engine/access/actor';
import { formatNumber } from '../../src/engine/formats/numbers';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useEvaluationContext } from '../../src/app/data/useEvaluationContext';
import { Icon } from '../../src/app/icons/Icon';
import { usePage, PageActions } from '../../src/app/layout/page';
import { useRemembered } from '../../src/app/preferences/useRemembered';
import { phone } from '../../src/app/theme/overrides';
import { takesResults, type RunState } from '../results/runStates';
import {
  countResults,
  entryAt,
  groupByModule,
  isShown,
  nextToRun,
  upcomingTests,
  type EntryFilter,
} from './entryOrder';
import { EntryList } from './EntryList';
import { EntryPane } from './EntryPane';
import { FinishButton } from './FinishButton';
import { KeysDialog } from './KeysDialog';
import { QueueBar } from './QueueBar';
import { RunProgress } from './RunProgress';
import type { Entry, EntryDetails, FoundResult, Result, Run } from './runnerApi';
import { runsListLink } from './runsList';
import { ColleagueBar, Colleagues, useColleagues } from './Colleagues';
import { useDrafts } from './useDrafts';
import { useResultQueue } from './useResultQueue';
import { useEntries, useEntry, useStoreEntry } from './useRun';
import { useTimer } from './useTimer';
import * as styles from './runner.module.css';

/** Why a run takes no results, and what to do. */
const closedWords: Partial<Record<RunState, readonly [fact: string, remedy: string]>> = {
  closed: ['This run is closed.', 'Reopen it in the list of test runs to record results.'],
  paused: ['This run is paused.', 'Resume it in the list of test runs to record results.'],
  review: ['This run is in review.', 'Set it back to In Progress in the list of test runs to record results.'],
};

/** Below this the list of tests is a drawer. */
const narrowQuery = '@media (max-width: 899px)';

const noEntries: readonly Entry[] = [];

/** The tests of a run, the one that is run now, and what was found in it. */
export function RunnerScreen({ run }: { run: Run }) {
  // Read here and not above: whenever the queue lets go of a result, this render already has the test with it.
  const { data: entries = noEntries } = useEntries(run.id);
  const { actor, registry } = useDefinitions();
  const evaluationContext = useEvaluationContext();
  const notify = useNotify();
  const person = realUser(actor).id;
  const isNarrow = useMediaQuery(narrowQuery, { noSsr: true });
  const isPhone = useMediaQuery(phone, { noSsr: true });
  const [isListOpen, setListOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [keysEnabled, setKeysEnabled] = useRemembered('assay.runner.keys', true);
  const [filter, setFilter] = useRemembered<EntryFilter>('assay.runner.filter', 'all');
  const [search, setSearch] = useState('');
  const searchBox = useRef<HTMLInputElement>(null);
  const { draftOf, change } = useDrafts(run.id, person);
  const takeStored = useStoreEntry(run.id);
  const { queue, items } = useResultQueue(person, takeStored);

  const runItems = useMemo(() => items.filter((item) => item.run === run.id), [items, run.id]);
  const resultOf = useCallback(
    (entry: Entry): Result =>
      runItems.findLast((item) => item.entry === entry.id && item.refusal === undefined)?.found.result ?? entry.result,
    [runItems],
  );
  const orderedEntries = useMemo(() => groupByModule(entries), [entries]);
  const visibleEntries = useMemo(
    () => orderedEntries.filter((entry) => isShown(entry, resultOf(entry), filter, search, person)),
    [filter, orderedEntries, person, resultOf, search],
  );
  const counts = useMemo(() => countResults(entries, resultOf), [entries, resultOf]);
  const filterCounts = useMemo(
    () => ({
      all: entries.length,
      mine: entries.filter(({ assigned: assignee }) => assignee?.id === person).length,
      not_run: counts.get('not_run') ?? 0,
    }),
    [counts, entries, person],
  );

  const [current, open] = useCurrentEntry(orderedEntries, resultOf);
  const colleagues = useColleagues(entries, actor.viewer ? undefined : current?.id);
  const timer = useTimer(current?.id);
  const upcoming = useMemo(
    () => upcomingTests(visibleEntries, current?.id, resultOf),
    [current?.id, resultOf, visibleEntries],
  );
  const details = useEntry(current?.id, upcoming);
  const position = orderedEntries.findIndex(({ id }) => id === current?.id) + 1;
  usePage({ title: run.name, note: run.key, back: runsListLink, record: isPhone ? undefined : run.key });

  const definition = registry.getOrThrow('run-entries');
  const isOpenRun = takesResults(run.state);
  const canRecord =
    isOpenRun && !actor.viewer && canDo(actor, definition, 'edit', { ...details.data, run }, evaluationContext);

  const save = (entry: EntryDetails, result: FoundResult) => {
    const { files = [] } = draftOf(entry.id);
    queue.add({ run: run.id, entry: entry.id, name: entry.name, found: result, ...(files.length > 0 && { files }) });
    change(entry.id, () => ({ steps: {}, comment: '' }));
    const next = nextToRun(visibleEntries, entry.id, resultOf, ({ id }) => colleagues.byEntry.has(id));
    if (next) open(next);
    else notify('No test is left to run in this list.', { type: 'success' });
  };
  const move = (steps: number) => {
    const entry = entryAt(visibleEntries, current?.id, steps);
    if (entry) open(entry);
  };

  const list = (
    <EntryList
      entries={visibleEntries}
      current={current?.id}
      colleagues={colleagues.byEntry}
      counts={filterCounts}
      onFilter={setFilter}
      onSearch={setSearch}
      onOpen={(entry) => {
        open(entry);
        setListOpen(false);
      }}
      {...{ resultOf, filter, search, searchBox }}
    />
  );
  return (
    <>
      <PageActions>
        {!isPhone && <Colleagues people={colleagues.people} />}
        {!isPhone && <RunProgress counts={counts} total={entries.length} />}
        {isOpenRun && !isPhone && (
          <FinishButton run={run} notRun={counts.get('not_run') ?? 0} isWaiting={runItems.length > 0} />
        )}
        {isNarrow && (
          <IconButton aria-label="Tests of the run" onClick={() => setListOpen(true)}>
            <Icon name="list" size={18} />
          </IconButton>
        )}
      </PageActions>
      <QueueBar items={runItems} queue={queue} />
      {current && <ColleagueBar people={colleagues.byEntry.get(current.id)} />}
      {!isOpenRun && <ClosedBanner state={run.state} />}
      <div className={styles.runner}>
        {isNarrow ? (
          <Drawer open={isListOpen} onClose={() => setListOpen(false)} slotProps={{ paper: { 'aria-label': 'Tests' } }}>
            {list}
          </Drawer>
        ) : (
          list
        )}
        <EntryPane
          run={run}
          timer={timer}
          query={details}
          entryId={current?.id}
          draft={draftOf(current?.id)}
          change={change}
          canRecord={canRecord}
          keysEnabled={keysEnabled}
          isPhone={isPhone}
          onSave={save}
          onStored={takeStored}
          onMove={move}
          onFind={() => (isNarrow ? setListOpen(true) : searchBox.current?.focus())}
          onHelp={() => setHelpOpen(true)}
        />
      </div>
      {!isPhone && (
        <footer className={styles.keys}>
          {keysEnabled && <KeyHints />}
          <Box
            component="button"
            sx={{ py: 1, px: 1.5, borderRadius: '6px', '&:hover': { background: 'var(--hover)' } }}
            type="button"
            onClick={() => setHelpOpen(true)}
          >
            <kbd>?</kbd> all keys
          </Box>
          <span className={styles.grow} />
          <span className="num">
            Test {formatNumber(position)} of {formatNumber(entries.length)}
          </span>
        </footer>
      )}
      <KeysDialog
        open={isHelpOpen}
        enabled={keysEnabled}
        onEnable={setKeysEnabled}
        onClose={() => setHelpOpen(false)}
      />
    </>
  );
}

/** Says why the run takes no results, and the remedy. */
function ClosedBanner({ state }: { state: RunState }) {
  const [fact, remedy] = closedWords[state] ?? [];
  return (
    <div className={styles.banner} role="status">
      <Icon name="lock" />
      <span>
        <b>{fact}</b> {remedy}
      </span>
    </div>
  );
}

const hints: readonly (readonly [readonly string[], string])[] = [
  [['N'], 'pass and next'],
  [['P'], 'pass'],
  [['F'], 'fail'],
  [['B'], 'block'],
  [['S'], 'skip'],
  [['1', '9'], 'a step'],
  [['J', 'K'], 'next, previous'],
  [['C'], 'comment'],
  [['D'], 'defect'],
  [['/'], 'find'],
  [['Ctrl', '↵'], 'save and next'],
];

function KeyHints() {
  return hints.map(([keys, words]) => (
    <span key={words} className={styles.keyHint}>
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
      {words}
    </span>
  ));
}

/**
 * The test that is open: that of the address (`?entry=7`), otherwise the first that was not run. Moving on replaces the
 * address, so that Back leaves the run.
 */
function useCurrentEntry(
  entries: readonly Entry[],
  resultOf: (entry: Entry) => Result,
): [Entry | undefined, (entry: Entry) => void] {
  const [parameters, setParameters] = useSearchParams();
  const requestedId = Number(parameters.get('entry'));
  // The test that came first when the screen was opened stays open after it has a result.
  const [first] = useState(() => (entries.find((entry) => resultOf(entry) === 'not_run') ?? entries[0])?.id);
  const current = entries.find(({ id }) => id === requestedId) ?? entries.find(({ id }) => id === first) ?? entries[0];
  const open = useCallback(
    (entry: Entry) => setParameters({ entry: String(entry.id) }, { replace: true }),
    [setParameters],
  );
  return [current, open];
}
