import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { shortDay } from '../../src/engine/formats/dates';
import { formatNumber } from '../../src/engine/formats/numbers';
import { ToneChip } from '../../src/app/chips/RecordChip';
import { localToday } from '../../src/app/data/localTime';
import { ResultBar, ResultNumbers } from '../results/ResultNumbers';
import { countAll, type ResultCounts } from '../results/results';
import { startOf, type Milestone } from './milestoneApi';
import { daysLeft, milestoneVerdict, type Verdict } from './milestoneVerdict';

interface StandingProps {
  milestone: Milestone;
  /** Undefined: the user may not read results. */
  counts: ResultCounts | undefined;
  runs: number;
}

/** How a milestone stands: the results of its runs, and the days that are left. */
export function Standing({ milestone, counts, runs }: StandingProps) {
  const today = localToday();
  const { due_on: dueDay } = milestone;
  const isFinished = milestone.state === 'done';
  const verdict = counts && milestoneVerdict(counts, { start: startOf(milestone), due: dueDay, isFinished }, today);
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', md: '1fr 176px' } }}>
      {counts && verdict ? (
        <Results {...{ counts, runs, verdict }} />
      ) : (
        <Box sx={{ px: 4, pb: 4, color: 'var(--t2)', fontSize: 13 }}>Its results are not for your role.</Box>
      )}
      {dueDay !== null && (
        <Stack
          sx={{ gap: 1, px: 4, pb: 4, borderLeft: { md: '1px solid var(--line)' }, color: 'var(--t2)', fontSize: 13 }}
        >
          <Typography component="p" sx={{ color: 'var(--t1)', fontSize: 20, lineHeight: '26px', fontWeight: 600 }}>
            {isFinished || verdict?.label === 'Done' ? 'Done' : daysLeft(dueDay, today)}
          </Typography>
          <span>due {shortDay(dueDay, today)}</span>
        </Stack>
      )}
    </Box>
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
