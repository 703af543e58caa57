import Button from '@mui/material/Button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNotify } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { canDo } from '../../src/engine/access/can-do';
import { formatNumber } from '../../src/engine/formats/numbers';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useEvaluationContext } from '../../src/app/data/useEvaluationContext';
import { ConfirmDialog } from '../../src/app/dialogs/ConfirmDialog';
import { Icon } from '../../src/app/icons/Icon';
import { useChangeToast } from '../../src/app/commands/useChangeToast';
import { fetchApi } from '../../src/app/session/api';
import type { Run } from './runnerApi';

interface FinishButtonProps {
  run: Run;
  /** How many tests were not run. */
  notRun: number;
  /** Results are on their way to the server; it would refuse them for a closed run. */
  isWaiting: boolean;
  /** It is the main button of the screen. */
  isPrimary?: boolean;
  /** The screen that shows it stays; otherwise the list of runs is opened. */
  staysHere?: boolean;
}

/** Closes a run, after a question if tests were not run. It can be undone. */
export function FinishButton({ run, notRun, isWaiting, isPrimary, staysHere }: FinishButtonProps) {
  const { registry, actor } = useDefinitions();
  const evaluationContext = useEvaluationContext();
  const [isConfirming, setConfirming] = useState(false);
  const notify = useNotify();
  const notifyChange = useChangeToast();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const setState = async (state: Run['state']) => {
    await fetchApi(`/test-runs-state-${state}/${run.id}`, { method: 'PATCH' });
    await queryClient.invalidateQueries({ queryKey: ['test-runs'] });
  };
  const onError = (error: Error) => notify(error.message, { type: 'error' });
  const finish = useMutation({
    mutationFn: () => setState('closed'),
    onSuccess: () => {
      notifyChange(`${run.key} is closed.`, () => void setState('open').catch(onError));
      if (!staysHere) void navigate('/test-runs');
    },
    onError,
    onSettled: () => setConfirming(false),
  });
  if (!canDo(actor, registry.getOrThrow('test-runs'), 'edit', { ...run }, evaluationContext)) return null;
  const question =
    notRun === 1
      ? 'One test was not run. Close the run anyway?'
      : `${formatNumber(notRun)} tests were not run. Close the run anyway?`;
  return (
    <>
      <Button
        variant={isPrimary ? 'contained' : 'outlined'}
        startIcon={<Icon name="check" />}
        disabled={isWaiting || finish.isPending}
        onClick={() => (notRun > 0 ? setConfirming(true) : finish.mutate())}
      >
        Finish run
      </Button>
      <ConfirmDialog
        open={isConfirming}
        title="Finish this run?"
        question={question}
        confirmLabel="Finish run"
        isBusy={finish.isPending}
        width={360}
        onConfirm={() => finish.mutate()}
        onClose={() => setConfirming(false)}
      />
    </>
  );
}
