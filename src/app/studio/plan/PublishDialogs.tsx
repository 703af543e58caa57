import { LossesDialog } from './LossesDialog';
import { RulesDialog } from './RulesDialog';
import type { Publishing } from './usePublish';

/** The confirmations before publishing. */
export function PublishDialogs({ publishing }: { publishing: Publishing }) {
  const { question, isBusy, confirm, closeQuestion } = publishing;
  const dialogProps = question && { steps: question.steps, isBusy, onConfirm: confirm, onClose: closeQuestion };
  if (question?.kind === 'rules' || question?.kind === 'violations') return <RulesDialog {...dialogProps!} />;
  if (question?.kind === 'losses') return <LossesDialog {...dialogProps!} />;
  return null;
}
