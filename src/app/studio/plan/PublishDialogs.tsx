import { LossesDialog } from './LossesDialog';
import { RulesDialog } from './RulesDialog';
import type { Publishing } from './usePublish';

/** The confirmations before publishing. */
export function PublishDialogs({ publishing }: { publishing: Publishing }) {
  const { question, isBusy, confirm, closeQuestion } = publishing;
  if (!question) return null;
  const Question = question.kind === 'losses' ? LossesDialog : RulesDialog;
  return <Question steps={question.steps} isBusy={isBusy} onConfirm={confirm} onClose={closeQuestion} />;
}
