import { LossesDialog } from './LossesDialog';
import { RulesDialog } from './RulesDialog';
import type { Publishing } from './usePublish';

/** The confirmations before publishing. */
export function PublishDialogs({ publishing }: { publishing: Publishing }) {
  const { question, busy, confirm, shut } = publishing;
  const asked = question && { steps: question.steps, busy, onConfirm: confirm, onClose: shut };
  if (question?.about === 'rules' || question?.about === 'violations') return <RulesDialog {...asked!} />;
  if (question?.about === 'losses') return <LossesDialog {...asked!} />;
  return null;
}
