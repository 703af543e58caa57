import type { RaRecord } from 'react-admin';
import { useState } from 'react';
import { formatNumber } from '../../../engine/formats/numbers';
import type { Definition } from '../../../engine/definitions/definition';
import { deleteConfirmation } from '../../../engine/lists/row-actions';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { ConfirmDialog } from '../../dialogs/ConfirmDialog';
import { finalWords } from '../../dialogs/finalWords';
import { lazyComponent } from '../../states/lazyComponent';

const AssignedRecords = lazyComponent(() =>
  import('../../actions/handover/AssignedRecords').then((module) => ({ default: module.AssignedRecords })),
);

interface BulkDeleteDialogProps {
  definition: Definition;
  records: readonly RaRecord[];
  /** Those that the actor may delete. */
  allowedRecords: readonly RaRecord[];
  /** Gets the record that takes over what is assigned to the deleted ones. */
  onConfirm: (successor: number | undefined) => void;
  onClose: () => void;
}

/** Asks once before several records are deleted. If a record's own question differs, that one is shown. */
export function BulkDeleteDialog({ definition, records, allowedRecords, onConfirm, onClose }: BulkDeleteDialogProps) {
  const evaluationContext = useEvaluationContext(definition);
  const [open, setOpen] = useState(true);
  const [successor, setSuccessor] = useState<number>();
  const { labels } = definition;
  const close = () => {
    setOpen(false);
    onClose();
  };
  const count = allowedRecords.length;
  const subject = `${formatNumber(count)} ${(count === 1 ? labels.one : labels.many).toLowerCase()}`;
  if (count === 0) {
    return (
      <ConfirmDialog
        open={open}
        title="Nothing to delete"
        question={`You can't delete any of these ${labels.many.toLowerCase()}.`}
        confirmLabel="OK"
        onConfirm={close}
        onClose={close}
      />
    );
  }
  const questions = allowedRecords.map((record) => deleteConfirmation(definition, record, evaluationContext));
  const question = questions.find((candidate) => candidate !== definition.delete.confirm) ?? definition.delete.confirm;
  const skippedCount = records.length - count;
  return (
    <ConfirmDialog
      open={open}
      title={`Delete ${subject}?`}
      question={
        skippedCount > 0
          ? `${question} You can't delete ${formatNumber(skippedCount)} of the selected; they stay.`
          : question
      }
      note={definition.delete.final && finalWords}
      confirmLabel="Delete"
      destructive
      onConfirm={() => onConfirm(successor)}
      onClose={close}
    >
      {definition.delete.keep && (
        <AssignedRecords
          {...{ definition, successor }}
          ids={allowedRecords.map(({ id }) => Number(id))}
          onSuccessor={setSuccessor}
        />
      )}
    </ConfirmDialog>
  );
}
