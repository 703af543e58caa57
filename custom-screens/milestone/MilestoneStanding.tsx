import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useRecordContext, type RaRecord } from 'react-admin';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { TileFrame } from '../../src/app/screens/pages/TileFrame';
import { fetchCounts, mayReadResults, type Milestone } from './milestoneApi';
import { Standing } from './Standing';

const title = 'Where it stands';

/** How the milestone of the page stands. */
export default function MilestoneStanding() {
  const milestone = useRecordContext<RaRecord<number>>() as (RaRecord<number> & Milestone) | undefined;
  const withResults = mayReadResults(useDefinitions().actor);
  const { data, error } = useQuery({
    queryKey: ['test-runs,run-entries', 'results of a milestone', milestone?.id],
    queryFn: ({ signal }) => fetchCounts(Number(milestone?.id), signal),
    enabled: milestone !== undefined && withResults,
    retry: false,
    meta: { quiet: true },
  });
  if (!milestone) return null;
  const isWaiting = withResults && !data && !error;
  return (
    <TileFrame
      title={title}
      target={`/test-runs?milestone_id=${milestone.id}&tab=all`}
      waits={{ contentKey: title, now: isWaiting }}
    >
      {isWaiting || error ? (
        <Typography sx={{ px: 4, pb: 4, color: 'var(--t2)', fontSize: 13 }} role="status">
          {error ? `Its results could not be loaded: ${error.message}` : 'Loading…'}
        </Typography>
      ) : (
        <Standing milestone={milestone} counts={data?.counts} runs={data?.runs ?? 0} />
      )}
    </TileFrame>
  );
}
