import { useState } from 'react';
import type { Definition } from '../../../engine/definitions/definition';
import { ConfirmDialog, type ConfirmDialogProps } from '../../dialogs/ConfirmDialog';
import { useApi } from '../../session/apiClient';
import { AssignedRecords } from './AssignedRecords';
import { deleteWithSuccessor, type Unchanged } from './deleteRecord';
import { UnchangedDialog } from './UnchangedDialog';

interface HandoverDialogProps extends Omit<ConfirmDialogProps, 'onConfirm'> {
  definition: Definition;
  /** The record that is to be deleted. */
  id: number;
  /** Gets what deletes the record, if it is to be handed over too. */
  onConfirm: (remove?: () => Promise<void>) => void;
}

/** Asks before a record is deleted to which others are assigned, and names those that could not be handed over. */
export function HandoverDialog({ definition, id, onConfirm, ...dialog }: HandoverDialogProps) {
  const ask = useApi();
  const [successor, setSuccessor] = useState<number>();
  const [unchanged, setUnchanged] = useState<Unchanged>();
  const remove =
    successor === undefined
      ? undefined
      : async () => {
          const left = await deleteWithSuccessor(definition.name, id, successor, ask);
          if (left.count > 0) setUnchanged(left);
        };
  return (
    <>
      <ConfirmDialog {...dialog} onConfirm={() => onConfirm(remove)}>
        <AssignedRecords {...{ definition, successor }} ids={[id]} onSuccessor={setSuccessor} />
      </ConfirmDialog>
      {unchanged && <UnchangedDialog unchanged={unchanged} onClose={() => setUnchanged(undefined)} />}
    </>
  );
}
