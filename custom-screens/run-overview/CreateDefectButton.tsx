import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNotify } from 'react-admin';
import { canDo } from '../../src/engine/access/can-do';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useEvaluationContext } from '../../src/app/data/useEvaluationContext';
import { Icon } from '../../src/app/icons/Icon';
import { emptyDraft } from '../test-runner/draft';
import { entryKey } from '../test-runner/entryOrder';
import { fetchEntry } from '../test-runner/runnerApi';
import { useDefect } from '../test-runner/useDefect';
import type { OverviewEntry, OverviewRun } from './overviewApi';

interface CreateDefectButtonProps {
  run: OverviewRun;
  entry: OverviewEntry;
}

/** Opens the form of a task that has what is stored of a failure, and its files; nothing for who may not. */
export function CreateDefectButton({ run, entry }: CreateDefectButtonProps) {
  const { registry, actor } = useDefinitions();
  const evaluationContext = useEvaluationContext();
  const entries = registry.getOrThrow('run-entries');
  const mayLink =
    run.state === 'open' && !actor.viewer && canDo(actor, entries, 'edit', { ...entry, run }, evaluationContext);
  return mayLink && registry.get('tasks') ? <CreateDefect {...{ run, entry }} /> : null;
}

function CreateDefect({ run, entry }: CreateDefectButtonProps) {
  const queryClient = useQueryClient();
  const notify = useNotify();
  const [isBusy, setBusy] = useState(false);
  const { create } = useDefect(run, () => void queryClient.invalidateQueries({ queryKey: ['run-entries'] }));
  if (!create) return null;
  const open = async () => {
    setBusy(true);
    try {
      create(await fetchEntry(entry.id, new AbortController().signal), emptyDraft);
    } catch (error) {
      notify(error instanceof Error ? error.message : '', { type: 'error' });
    }
    setBusy(false);
  };
  return (
    <Button
      variant="outlined"
      size="small"
      disabled={isBusy}
      startIcon={<Icon name="bug" />}
      aria-label={`Create defect of ${entryKey(entry)}`}
      onClick={() => void open()}
    >
      Create defect
    </Button>
  );
}
