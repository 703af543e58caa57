import { useState } from 'react';
import { ConfirmDialog } from '../../dialogs/ConfirmDialog';
import type { OpenedQuestion } from '../../dialogs/openDialog';

/** Asks before a call; whoever opened it reports its errors. */
export function QuestionDialog({ title, question, run, onClose }: OpenedQuestion & { onClose: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    await run();
    onClose();
  };
  return (
    <ConfirmDialog
      open
      title={title}
      question={question}
      confirmLabel={title}
      isBusy={isBusy}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}
