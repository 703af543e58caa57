import type { Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import { inlineFields } from '../../../engine/lists/inline-edit';
import { recordTitle, rowActions } from '../../../engine/lists/row-actions';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import type { Command } from '../../commands/commands';
import { useOpenDialog } from '../../dialogs/openDialog';
import { rowActionCommands, setFieldCommands, useRefusedCommands } from '../recordCommands';
import { useRunAction } from '../../actions/useActions';

/**
 * Returns a function with the commands of a record that is shown outside a grid: those that set its fields in the palette
 * (`a` its person, `s` its state), and those of its actions (`e` edits it). A field can be left out, such as the one that
 * says its column.
 */
export function useRecordCommands(definition: Definition): (record: ResourceRecord, except?: string) => Command[] {
  const { actor, registry } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const openDialog = useOpenDialog();
  const run = useRunAction();
  const withRefused = useRefusedCommands(definition);
  return (record, excludedField) => {
    const title = recordTitle(definition, record);
    const fields = inlineFields(definition, record, actor, evaluationContext).filter(
      ({ to: target, options, name }) => (target ?? options) && name !== excludedField,
    );
    const choose = (field: Field) =>
      openDialog({ kind: 'palette', definition, id: Number(record.id), title, field: field.name });
    const set = setFieldCommands(definition, registry, fields, title, choose);
    return withRefused(record, [
      ...set.map((command) => ({ ...command, opensInput: true })),
      ...rowActionCommands(rowActions(definition, record, actor, evaluationContext), title, (action) =>
        run(action, record),
      ),
    ]);
  };
}
