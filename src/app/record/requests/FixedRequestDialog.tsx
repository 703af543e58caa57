import { useState } from 'react';
import { useGetOne } from 'react-admin';
import type { Definition, RequestDefinition, ResourceRecord } from '../../../engine/definitions/definition';
import { ConfirmDialog } from '../../dialogs/ConfirmDialog';
import { reportError } from '../../data/ErrorToasts';
import { AskedValuesDialog } from '../../form/AskedValuesDialog';
import { useSendRequest } from '../../actions/useSendRequest';

interface FixedRequestDialogProps {
  definition: Definition;
  request: RequestDefinition;
  /** The record that the request is made on. */
  id: string;
  onClose: () => void;
}

/** The dialog of a request with fixed values before it is made: its question, or the values that it needs. */
export function FixedRequestDialog({ definition, request, id, onClose }: FixedRequestDialogProps) {
  const send = useSendRequest(definition);
  const { data } = useGetOne(definition.name, { id }, { retry: false });
  const record = data as ResourceRecord | undefined;
  const [isBusy, setBusy] = useState(false);
  if (request.sets.length > 0) {
    if (!record) return null;
    return (
      <AskedValuesDialog
        {...{ definition, request, record, onClose }}
        title={request.title}
        question={request.confirm ?? ''}
        onConfirm={(values) => send(request, record, values)}
      />
    );
  }
  const confirm = async () => {
    setBusy(true);
    try {
      await send(request, record ?? { id }, {});
    } catch (error) {
      reportError(error as Error);
    } finally {
      onClose();
    }
  };
  return (
    <ConfirmDialog
      open
      title={request.title}
      question={request.confirm ?? ''}
      confirmLabel={request.label}
      isBusy={isBusy}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}
