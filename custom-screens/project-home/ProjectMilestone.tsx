import Button from '@mui/material/Button';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useRecordContext, type RaRecord } from 'react-admin';
import { Link } from 'react-router-dom';
import { isGranted } from '../../src/engine/access/access-decision';
import { shortDay } from '../../src/engine/formats/dates';
import { formatNumber } from '../../src/engine/formats/numbers';
import { ToneChip } from '../../src/app/chips/RecordChip';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { localToday } from '../../src/app/data/localTime';
import { TileFrame } from '../../src/app/screens/pages/TileFrame';
import { fetchApi } from '../../src/app/session/api';
import { ResultBar, ResultNumbers } from '../results/ResultNumbers';
import { countAll, resultOrder, type ResultCounts } from '../results/results';
import { daysLeft, milestoneVerdict, type Verdict } from './milestoneVerdict';

interface Milestone {
  readonly id: number;
  readonly name: string;
  readonly starts_on: string | null;
  readonly due_on: string | null;
  readonly created_at: string;
}

/** The results of a run of the milestone. */
type RunResults = ResultCounts & { readonly id: number };

/** The most runs of a milestone that are added up. */
const maxRuns = 200;
const title = 'Next milestone';

/** The milestone of a project that is due next, with the results of its runs; undefined: all are done. */
async function fetchNextMilestone(project: number, withResults: boolean, signal: AbortSignal) {
  const query = new URLSearchParams({
    where: JSON.stringify({ project_id: project, state: { $ne: 'done' } }),
    fields: 'name,starts_on,due_on,created_at',
    sort: '["due_on","ASC"]',
    range: '[0,0]',
  });
  const { data: milestones } = await fetchApi<{ data: readonly Milestone[] }>(`/milestones?${query}`, { signal });
  const [milestone] = milestones;
  if (!milestone) return null;
  if (!withResults) return { milestone, runs: 0, counts: undefined };
  const path = `/test-runs?milestone_id=${milestone.id}&fields=${resultOrder.join()}&range=[0,${maxRuns - 1}]`;
  const { data: runs } = await fetchApi<{ data: readonly RunResults[] }>(path, { signal });
  const counts = Object.fromEntries(
    resultOrder.map((name) => [name, runs.reduce((sum, run) => sum + Number(run[name] ?? 0), 0)]),
  ) as ResultCounts;
  return { milestone, runs: runs.length, counts };
}

/** The next milestone of a project: how it stands, in a sentence and as a bar, and the days that are left. */
export default function ProjectMilestone() {
  const project = useRecordContext<RaRecord<number>>();
  const id = Number(project?.id);
  const { actor } = useDefinitions();
  const withResults = ['test-runs', 'run-entries'].every((name) => isGranted(actor, name, 'list'));
  const { data, error } = useQuery({
    // A key of all that it is made of: a recorded result makes it load again.
    queryKey: ['milestones,test-runs,run-entries', 'next of a project', id, withResults],
    queryFn: ({ signal }) => fetchNextMilestone(id, withResults, signal),
    retry: false,
    meta: { quiet: true },
  });
  const list = `/milestones?project_id=${id}`;
  if (!data)
    return (
      <TileFrame title={title} target={list} waits={{ contentKey: title, now: data === undefined && !error }}>
        <Typography sx={{ px: 4, pb: 4, color: 'var(--t2)', fontSize: 13 }} role="status">
          {error
            ? `The milestone could not be loaded: ${error.message}`
            : data === null
              ? 'No milestone is ahead.'
              : 'Loading…'}
        </Typography>
      </TileFrame>
    );
  const { milestone, runs, counts } = data;
  const today = localToday();
  const start = milestone.starts_on ?? milestone.created_at.slice(0, 10);
  const verdict = counts && milestoneVerdict(counts, { start, due: milestone.due_on }, today);
  return (
    <TileFrame
      title={milestone.name}
      target={`/milestones/${milestone.id}/view`}
      tools={
        <Button size="small" variant="outlined" component={Link} to={`/milestones/${milestone.id}/trend`}>
          Trend
        </Button>
      }
    >
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', md: '1fr 176px' } }}>
        {counts && verdict ? (
          <Results {...{ counts, runs, verdict }} />
        ) : (
          <Box sx={{ px: 4, pb: 4, color: 'var(--t2)', fontSize: 13 }}>Its results are not for your role.</Box>
        )}
        {milestone.due_on !== null && (
          <Stack
            sx={{ gap: 1, px: 4, pb: 4, borderLeft: { md: '1px solid var(--line)' }, color: 'var(--t2)', fontSize: 13 }}
          >
            <Typography component="p" sx={{ color: 'var(--t1)', fontSize: 20, lineHeight: '26px', fontWeight: 600 }}>
              {daysLeft(milestone.due_on, today)}
            </Typography>
            <span>due {shortDay(milestone.due_on, today)}</span>
          </Stack>
        )}
      </Box>
    </TileFrame>
  );
}

interface ResultsProps {
  readonly counts: ResultCounts;
  readonly runs: number;
  readonly verdict: Verdict;
}

/** How a milestone stands: in a word, in a sentence, as a bar and in numbers. */
function Results({ counts, runs, verdict }: ResultsProps) {
  const total = countAll(counts);
  return (
    <Stack sx={{ gap: 3, px: 4, pb: 4, minWidth: 0 }}>
      <Stack direction="row" sx={{ flexWrap: 'wrap', alignItems: 'center', gap: 2, fontSize: 13 }}>
        <ToneChip tone={verdict.tone}>{verdict.label}</ToneChip>
        <span>{verdict.sentence}</span>
      </Stack>
      <ResultBar counts={counts} size="large" />
      <Stack direction="row" sx={{ flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: 2 }}>
        <ResultNumbers counts={counts} isSentence />
        <Box component="span" className="num" sx={{ color: 'var(--t2)', fontSize: 12 }}>
          {formatNumber(total)} {total === 1 ? 'test' : 'tests'} in {formatNumber(runs)} {runs === 1 ? 'run' : 'runs'}
        </Box>
      </Stack>
    </Stack>
  );
}
