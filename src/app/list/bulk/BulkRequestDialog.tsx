import type { RaRecord } from 'react-admin';
import { formatNumber } from '../../../engine/formats/numbers';
import type { Definition, RequestDefinition, ResourceRecord } from '../../../engine/definitions/definition';
import { ConfirmDialog } from '../../dialogs/ConfirmDialog';
import { AskedValuesDialog } from '../../form/AskedValuesDialog';

interface BulkRequestDialogProps {
  definition: Definition;
  request: RequestDefinition;
  records: readonly RaRecord[];
  /** Those that the request is possible for. */
  allowedRecords: readonly RaRecord[];
  /** Called with what the request asks for. */
  onConfirm: (values: ResourceRecord) => void;
  onClose: () => void;
}

/** Asks once before a request is made on several records, for their values too. */
export function BulkRequestDialog({
  definition,
  request,
  records,
  allowedRecords,
  onConfirm,
  onClose,
}: BulkRequestDialogProps) {
  const { one: singular, many: plural } = definition.labels;
  const subject = `${formatNumber(allowedRecords.length)} ${(allowedRecords.length === 1 ? singular : plural).toLowerCase()}`;
  const skippedCount = records.length - allowedRecords.length;
  const rest =
    skippedCount > 0
      ? `This is not possible for ${formatNumber(skippedCount)} of the selected; they stay as they are.`
      : '';
  const title = `${request.label}: ${subject}`;
  const question = [request.confirm ?? '', rest].filter((text) => text !== '').join(' ');
  if (request.sets.length === 0)
    return (
      <ConfirmDialog
        open
        title={title}
        question={question || 'Each of them is changed.'}
        confirmLabel={request.label}
        onConfirm={() => onConfirm({})}
        onClose={onClose}
      />
    );
  return <AskedValuesDialog {...{ definition, request, title, question, onConfirm, onClose }} />;
}
