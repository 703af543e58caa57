import { useState } from 'react';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { ConfirmDialog, type ConfirmDialogProps } from '../../dialogs/ConfirmDialog';
import { useApi } from '../../session/apiClient';
import { lazyComponent } from '../../states/lazyComponent';
import { deleteWithSuccessor, type Unchanged } from './deleteRecord';

const AssignedRecords = lazyComponent(() =>
  import('./AssignedRecords').then((module) => ({ default: module.AssignedRecords })),
);
const UnchangedDialog = lazyComponent(() =>
  import('./UnchangedDialog').then((module) => ({ default: module.UnchangedDialog })),
);

interface HandoverDialogProps extends Omit<ConfirmDialogProps, 'onConfirm'> {
  definition: Definition;
  /** It is to be deleted. */
  record: ResourceRecord;
  /** Gets what deletes the record, if it is to be handed over too. */
  onConfirm: (remove?: () => Promise<void>) => void;
}

/** Asks before a record is deleted to which others are assigned, and names those that could not be handed over. */
export function HandoverDialog(props: HandoverDialogProps) {
  return <HandoverOf key={String(props.record.id)} {...props} />;
}

function HandoverOf({ definition, record, onConfirm, ...dialog }: HandoverDialogProps) {
  const id = Number(record.id);
  const ask = useApi();
  const [successor, setSuccessor] = useState<number>();
  const [unchangedRecords, setUnchangedRecords] = useState<Unchanged>();
  const remove =
    successor === undefined
      ? undefined
      : async () => {
          const left = await deleteWithSuccessor(definition.name, id, successor, ask);
          if (left.count > 0) setUnchangedRecords(left);
        };
  return (
    <>
      <ConfirmDialog {...dialog} onConfirm={() => onConfirm(remove)}>
        <AssignedRecords {...{ definition, successor }} ids={[id]} onSuccessor={setSuccessor} />
      </ConfirmDialog>
      {unchangedRecords && (
        <UnchangedDialog unchangedRecords={unchangedRecords} onClose={() => setUnchangedRecords(undefined)} />
      )}
    </>
  );
}
