import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useRecordContext, type RaRecord } from 'react-admin';
import { Link } from 'react-router-dom';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { TileFrame } from '../../src/app/screens/pages/TileFrame';
import { fetchApi } from '../../src/app/session/api';
import { fetchCounts, mayReadResults, type Milestone } from './milestoneApi';
import { Standing } from './Standing';

const title = 'Next milestone';

/** The milestone of a project that is due next, with the results of its runs; undefined: all are done. */
async function fetchNextMilestone(project: number, withResults: boolean, signal: AbortSignal) {
  const query = new URLSearchParams({
    where: JSON.stringify({ project_id: project, state: { $ne: 'done' } }),
    fields: 'name,project_id,state,starts_on,due_on,created_at',
    sort: '["due_on","ASC"]',
    range: '[0,0]',
  });
  const { data: milestones } = await fetchApi<{ data: readonly Milestone[] }>(`/milestones?${query}`, { signal });
  const [milestone] = milestones;
  if (!milestone) return null;
  if (!withResults) return { milestone, runs: 0, counts: undefined };
  return { milestone, ...(await fetchCounts(milestone.id, signal)) };
}

/** The next milestone of a project: how it stands, in a sentence and as a bar, and the days that are left. */
export default function ProjectMilestone() {
  const project = useRecordContext<RaRecord<number>>();
  const id = Number(project?.id);
  const { actor } = useDefinitions();
  const withResults = mayReadResults(actor);
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
      <Standing {...{ milestone, counts, runs }} />
    </TileFrame>
  );
}
