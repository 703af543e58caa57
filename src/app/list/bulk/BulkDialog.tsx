import type { RaRecord } from 'react-admin';
import { fieldOf } from '../../../engine/definitions/accessors';
import type { Definition, Field, RequestDefinition, ResourceRecord } from '../../../engine/definitions/definition';
import { recordsAllowedInBulk } from '../../../engine/lists/bulk';
import { isArchived } from '../../../engine/lists/row-actions';
import { requireValue } from '../../../engine/values/lookups';
import { UnchangedDialog } from '../../actions/handover/UnchangedDialog';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { ConfirmDialog } from '../../dialogs/ConfirmDialog';
import { BulkDeleteDialog } from './BulkDeleteDialog';
import { BulkEditForm } from './BulkEditForm';
import { BulkProgress } from './BulkProgress';
import type { BulkChange } from './runBulk';
import { countedRecords, useBulkChanges } from './useBulkChanges';
import { useBulkRun } from './useBulkRun';
import { formatNumber } from '../../../engine/formats/numbers';
import { AskedValuesDialog } from '../../form/AskedValuesDialog';

interface BulkDialogProps {
  definition: Definition;
  change: BulkChange;
  fields: readonly Field[];
  /** The field that is asked for first. */
  first?: Field;
  records: readonly RaRecord[];
  onClose: () => void;
  /** Called with the records that failed, which stay selected. */
  onDone: (failed: RaRecord[]) => void;
}

/** One confirmation for all selected records, then progress, then the result. */
export function BulkDialog({ definition, change, fields, first, records, onClose, onDone }: BulkDialogProps) {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const close = (failedRecords: RaRecord[]) => {
    onClose();
    onDone(failedRecords);
  };
  const bulkRun = useBulkRun(definition.name, () => close([]));
  const { progress, unchangedRecords } = bulkRun;
  const changes = useBulkChanges(definition, fields, bulkRun);

  if (unchangedRecords) return <UnchangedDialog unchangedRecords={unchangedRecords} onClose={() => close([])} />;
  if (progress) {
    return (
      <BulkProgress
        {...{ definition, change, ...progress }}
        onStop={bulkRun.stop}
        onClose={() => close(progress.result?.failures.map(({ record }) => record) ?? [])}
      />
    );
  }
  if (change === 'delete') {
    const allowedRecords = recordsAllowedInBulk(definition, actor, records, 'delete', evaluationContext) as RaRecord[];
    return (
      <BulkDeleteDialog
        {...{ definition, records, allowedRecords }}
        onConfirm={(successor) => void changes.remove(allowedRecords, successor)}
        onClose={onClose}
      />
    );
  }
  if (change === 'copy') {
    const allowedRecords = records.filter((record) => !isArchived(record));
    const { field: copiedField, suffix } = requireValue(definition.copy, `copy of ${definition.name}`);
    return (
      <ConfirmDialog
        open
        title={`Copy ${countedRecords(definition, allowedRecords)}?`}
        question={`The ${fieldOf(definition, copiedField).label.toLowerCase()} of each copy ends with “${suffix.trim()}”.`}
        confirmLabel="Copy"
        onConfirm={() => void changes.copy(allowedRecords)}
        onClose={onClose}
      />
    );
  }
  if (change !== 'edit') {
    const allowedRecords = recordsAllowedInBulk(definition, actor, records, change, evaluationContext) as RaRecord[];
    return (
      <BulkRequestDialog
        {...{ definition, request: change, records, allowedRecords }}
        onConfirm={(values) => void changes.request(allowedRecords, change, values)}
        onClose={onClose}
      />
    );
  }
  return (
    <BulkEditForm
      {...{ definition, fields, first, records }}
      onSave={(values) => {
        const changedFields = fields.filter((field) => field.name in values);
        void changes.edit(
          recordsAllowedInBulk(definition, actor, records, changedFields, evaluationContext) as RaRecord[],
          values,
        );
      }}
      onClose={onClose}
    />
  );
}

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
function BulkRequestDialog({
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
