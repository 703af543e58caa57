import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { Definition, Field } from '../../src/engine/definitions/definition';
import { recordPathFor } from '../../src/engine/lists/row-actions';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useEvaluationContext } from '../../src/app/data/useEvaluationContext';
import { useSimilarRecords } from '../../src/app/form/useSimilarRecords';
import { Icon } from '../../src/app/icons/Icon';
import { fetchApi } from '../../src/app/session/api';

interface LookAlikeProps {
  tasks: Definition;
  /** The text that names of tasks are compared in. */
  field: Field;
  text: string;
  project: number;
  /** A link or a new task is being stored. */
  isBusy: boolean;
  onLink: (task: number) => void;
}

interface FoundTask {
  readonly taskstatus?: { readonly option_name?: string } | null;
  readonly assign?: { readonly name?: string } | null;
}

/** The task of the project whose name is most like the typed one: it can be linked instead of a second one. */
export function LookAlike({ tasks, field, text, project, isBusy, onLink }: LookAlikeProps) {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(tasks);
  const [task] = useSimilarRecords({ definition: tasks, field, text, scopeIds: { project_id: String(project) } });
  const { data: taskFacts } = useQuery({
    queryKey: [tasks.name, 'look-alike', task?.id],
    queryFn: async ({ signal }) =>
      (await fetchApi<{ data: FoundTask[] }>(`/tasks?id=${task?.id}&fields=id,taskstatus,assign`, { signal })).data[0],
    enabled: task !== undefined,
    retry: false,
    meta: { quiet: true },
  });
  const path = task && recordPathFor(tasks, { id: task.id }, actor, evaluationContext);
  const facts = [task && `${task.similarity}% alike`, taskFacts?.taskstatus?.option_name, taskFacts?.assign?.name];
  return (
    <Stack
      direction="row"
      sx={{
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 2,
        ...(task && { px: 5, py: 2, borderBottom: '1px solid var(--line)', bgcolor: 'var(--tint)' }),
        color: 'var(--accent-ink)',
        fontSize: 13,
      }}
    >
      {task && <Icon name="info" />}
      <Box role="status" sx={{ flex: '1 1 240px', minWidth: 0, overflowWrap: 'anywhere' }}>
        {task && (
          <>
            Looks like <b>{[task.key, task.title].filter(Boolean).join(' ')}</b>
            {`, ${facts.filter(Boolean).join(', ')}`}
          </>
        )}
      </Box>
      {path && (
        <Button
          size="small"
          component={Link}
          to={path}
          target="_blank"
          rel="noopener"
          startIcon={<Icon name="external" size={14} />}
        >
          Open<span className="unseen"> the similar task in a new tab</span>
        </Button>
      )}
      {task && (
        <Button
          size="small"
          variant="outlined"
          disabled={isBusy}
          startIcon={<Icon name="link" size={14} />}
          onClick={() => onLink(task.id)}
        >
          Link it instead
        </Button>
      )}
    </Stack>
  );
}
