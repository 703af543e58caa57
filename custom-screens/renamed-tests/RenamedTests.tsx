import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import Stack from '@mui/material/Stack';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useNotify } from 'react-admin';
import { isGranted } from '../../src/engine/access/access-decision';
import { firstOf, lastOf } from '../../src/engine/values/lookups';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { NoAccess } from '../../src/app/states/NoAccess';
import { useEvaluationContext } from '../../src/app/data/useEvaluationContext';
import { Icon } from '../../src/app/icons/Icon';
import { usePage } from '../../src/app/layout/page';
import { UndoButton } from '../../src/app/commands/UndoButton';
import { useListScope } from '../../src/app/preferences/listScope';
import { EmptyState } from '../../src/app/states/EmptyState';
import { FailedState } from '../../src/app/states/FailedState';
import * as statesStyles from '../../src/app/states/states.module.css';
import { ProposalRow } from './ProposalRow';
import { fetchProposals, fetchResults, isFound, sendDecision, type Decision, type Proposal } from './proposals';
import { useProposalKeys } from './useProposalKeys';
import * as styles from './renamed-tests.module.css';

/** From so many per cent on, all proposals can be merged at once. */
const mergeableSimilarity = 90;
const quiet = { retry: false, meta: { quiet: true } } as const;
const testsListLink = { to: '/automated-tests', label: 'Automated Tests' };

/** Where people say whether a test that vanished and one that appeared are the same. */
export default function RenamedTests() {
  const { registry } = useDefinitions();
  if (!registry.get('match-proposals') || !registry.get('automated-tests')) return <NoAccess />;
  return <Proposals />;
}

function Proposals() {
  const scope = useListScope();
  const query = useQuery({
    queryKey: ['match-proposals', 'open', scope?.id],
    queryFn: ({ signal }) => fetchProposals(scope?.id, signal),
    ...quiet,
  });
  usePage({ title: 'Renamed Tests', total: query.data?.total, flat: true });
  if (query.data) {
    return query.data.total === 0 ? (
      <EmptyState
        title="Nothing to decide"
        sentence="When a test vanishes and a similar one appears in an upload, it is proposed here."
      />
    ) : (
      <Chooser {...query.data} />
    );
  }
  if (query.error)
    return (
      <FailedState
        title="The proposals could not be loaded"
        message={query.error.message}
        onRetry={() => void query.refetch()}
        link={testsListLink}
      />
    );
  return (
    <div role="status" className={styles.waiting}>
      <span className="unseen">Loading…</span>
      {Array.from({ length: 6 }, (_, index) => (
        <span key={index} className={statesStyles.skeleton} aria-hidden="true" />
      ))}
    </div>
  );
}

function Chooser({ proposals, total }: { proposals: readonly Proposal[]; total: number }) {
  const { actor, registry } = useDefinitions();
  const { timeZone } = useEvaluationContext();
  const [search, setSearch] = useState('');
  const [currentId, setCurrentId] = useState<number>();
  const searchBox = useRef<HTMLInputElement>(null);
  const { data: results } = useQuery({
    queryKey: ['automated-tests', 'proposed', proposals.map(({ id }) => id)],
    queryFn: ({ signal }) => fetchResults(proposals, signal),
    ...quiet,
  });
  const visibleProposals = useMemo(
    () => proposals.filter((proposal) => isFound(proposal, search)),
    [proposals, search],
  );
  const currentIndex = Math.max(
    0,
    visibleProposals.findIndex(({ id }) => id === currentId),
  );
  const current = visibleProposals[currentIndex];
  const mayDecide =
    !actor.viewer && isGranted(actor, 'match-proposals', 'edit') && isGranted(actor, 'automated-tests', 'delete');
  const { decide, undo, isBusy } = useDecisions((left) =>
    setCurrentId((visibleProposals[currentIndex + 1] ?? visibleProposals[currentIndex - 1])?.id ?? left),
  );
  const similar = visibleProposals.filter(({ similarity }) => similarity >= mergeableSimilarity);
  const move = (steps: number) =>
    setCurrentId(visibleProposals[Math.min(Math.max(currentIndex + steps, 0), visibleProposals.length - 1)]?.id);
  useProposalKeys({
    merge: () => mayDecide && current && void decide([current], 'merge'),
    keepApart: () => mayDecide && current && void decide([current], 'keep-apart'),
    next: () => move(1),
    previous: () => move(-1),
    undo: () => mayDecide && void undo(),
    find: () => searchBox.current?.focus(),
  });
  return (
    <Stack sx={{ flex: 1, minHeight: 0 }}>
      <div className={styles.tools}>
        <OutlinedInput
          size="small"
          placeholder="Search tests"
          value={search}
          inputRef={searchBox}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            setSearch('');
            searchBox.current?.blur();
          }}
          startAdornment={
            <InputAdornment position="start">
              <Icon name="search" />
            </InputAdornment>
          }
          slotProps={{ input: { type: 'search', 'aria-label': 'Search tests' } }}
        />
        <span className={styles.grow} />
        <Box
          component="span"
          sx={{ color: 'var(--t2)', fontSize: 12, '@media (max-width: 1199px)': { display: 'none' } }}
        >
          A test vanished and a similar one appeared. Merging keeps its history.
        </Box>
        {mayDecide && similar.length > 1 && (
          <Button variant="outlined" disabled={isBusy} onClick={() => void decide(similar, 'merge')}>
            Merge all above {mergeableSimilarity}% <span className={`${styles.count} num`}>{similar.length}</span>
          </Button>
        )}
      </div>
      <div className={styles.head} aria-hidden="true">
        <span>Last seen as</span>
        <span />
        <span>Now</span>
        <span>Similarity</span>
        <span>Last seen</span>
        <span>Case</span>
      </div>
      <ul className={styles.list} aria-label="Proposals" tabIndex={0}>
        {visibleProposals.map((proposal) => (
          <ProposalRow
            key={proposal.id}
            {...{ proposal, results, registry, timeZone, isBusy, mayDecide }}
            isCurrent={proposal.id === current?.id}
            onOpen={() => setCurrentId(proposal.id)}
            onMerge={() => void decide([proposal], 'merge')}
            onKeepApart={() => void decide([proposal], 'keep-apart')}
          />
        ))}
        {visibleProposals.length === 0 && (
          <Box component="li" sx={{ p: 6, color: 'var(--t3)' }}>
            No test fits.
          </Box>
        )}
      </ul>
      <footer className={styles.keys}>
        {hints.map(([keys, words]) => (
          <span key={words}>
            {keys.map((key) => (
              <Box component="kbd" sx={{ mr: 1 }} key={key}>
                {key}
              </Box>
            ))}
            {words}
          </span>
        ))}
        <span className={styles.grow} />
        <span>
          {total > proposals.length && `The first ${proposals.length} of ${total}. `}Decisions can be undone for 30 days
        </span>
      </footer>
    </Stack>
  );
}

const hints: readonly (readonly [readonly string[], string])[] = [
  [['M'], 'merge'],
  [['A'], 'keep apart'],
  [['J', 'K'], 'next, previous'],
  [['Ctrl', 'Z'], 'undo'],
  [['/'], 'find'],
];

/** Decides proposals and undoes what was decided here, the latest first. */
function useDecisions(onDecided: (id: number | undefined) => void) {
  const notify = useNotify();
  const queryClient = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const decided = useRef<number[][]>([]);

  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      notify(error instanceof Error ? error.message : 'The decision could not be stored.', { type: 'error' });
    } finally {
      setBusy(false);
      for (const key of ['match-proposals', 'automated-tests']) void queryClient.invalidateQueries({ queryKey: [key] });
    }
  };
  const undo = () =>
    run(async () => {
      const ids = decided.current.at(-1);
      if (!ids) {
        notify('Nothing was decided here.', { type: 'info' });
        return;
      }
      while (ids.length > 0) {
        await sendDecision(lastOf(ids), 'undo');
        ids.pop();
      }
      decided.current.pop();
      notify('Undone. The proposal is open again.', { type: 'success' });
    });
  const decide = (decidedProposals: readonly Proposal[], action: 'merge' | 'keep-apart') =>
    run(async () => {
      const outcomes: Decision[] = [];
      try {
        for (const { id } of decidedProposals) outcomes.push(await sendDecision(id, action));
      } finally {
        // Decisions stored before a refusal can be undone, too.
        if (outcomes.length > 0) decided.current.push(outcomes.map(({ id }) => id));
      }
      onDecided(decidedProposals.at(-1)?.id);
      notify(describeDecisions(decidedProposals, outcomes, action), {
        type: 'success',
        undoable: false,
        action: <UndoButton onUndo={() => void undo()} />,
      });
    });
  return { decide, undo, isBusy };
}

function describeDecisions(
  decidedProposals: readonly Proposal[],
  outcomes: readonly Decision[],
  action: 'merge' | 'keep-apart',
): string {
  const names =
    decidedProposals.length === 1 ? `“${firstOf(decidedProposals).name}”` : `${decidedProposals.length} tests`;
  if (action === 'keep-apart') return `Kept apart: ${names}`;
  const results = outcomes.reduce((sum, outcome) => sum + outcome.results, 0);
  return `Merged ${names}: ${results} result${results === 1 ? '' : 's'} joined`;
}
