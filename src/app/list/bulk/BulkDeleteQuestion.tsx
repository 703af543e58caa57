import type { RaRecord } from 'react-admin';
import { useState } from 'react';
import { formatNumber } from '../../../engine/formats/numbers';
import type { Definition } from '../../../engine/definitions/definition';
import { deleteQuestion } from '../../../engine/lists/row-actions';
import { useSurroundings } from '../../admin/useSurroundings';
import { ConfirmDialog } from '../../dialogs/ConfirmDialog';

interface BulkDeleteQuestionProps {
  definition: Definition;
  records: readonly RaRecord[];
  /** Those of them that may be deleted. */
  allowed: readonly RaRecord[];
  onConfirm: () => void;
  onClose: () => void;
}

/** The one question before several records are deleted. A record with a question of its own asks that one. */
export function BulkDeleteQuestion({ definition, records, allowed, onConfirm, onClose }: BulkDeleteQuestionProps) {
  const surroundings = useSurroundings(definition);
  const [open, setOpen] = useState(true);
  const { labels } = definition;
  const close = () => {
    setOpen(false);
    onClose();
  };
  const count = allowed.length;
  const what = `${formatNumber(count)} ${(count === 1 ? labels.one : labels.many).toLowerCase()}`;
  if (count === 0) {
    return (
      <ConfirmDialog
        open={open}
        title="Nothing to delete"
        question={`You may not delete any of these ${labels.many.toLowerCase()}.`}
        confirmLabel="OK"
        onConfirm={close}
        onClose={close}
      />
    );
  }
  const asked = allowed.map((record) => deleteQuestion(definition, record, surroundings));
  const question = asked.find((one) => one !== definition.delete.confirm) ?? definition.delete.confirm;
  const spared = records.length - count;
  return (
    <ConfirmDialog
      open={open}
      title={`Delete ${what}?`}
      question={
        spared > 0 ? `${question} ${formatNumber(spared)} of the chosen you may not delete; they stay.` : question
      }
      confirmLabel="Delete"
      destructive
      onConfirm={onConfirm}
      onClose={close}
    />
  );
}
