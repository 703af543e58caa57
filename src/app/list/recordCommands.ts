import type { Definition, Field, RowAction } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { keyFields } from '../../engine/lists/inline-edit';
import type { Command } from '../commands/commands';
import { setFieldText } from './inline/setFieldText';

/** Commands that set fields of a record: `a` its person, `s` its state; the others have no keys. */
export function setFieldCommands(
  definition: Definition,
  registry: Registry,
  fields: readonly Field[],
  title: string,
  onSet: (field: Field) => void,
): Command[] {
  const { person, state } = keyFields(definition, registry, fields);
  return fields.map((field) => ({
    id: `set ${field.name}`,
    ...setFieldText(field, person),
    recordsText: title,
    ...(field === person ? { keys: 'a' } : field === state ? { keys: 's' } : {}),
    run: () => onSet(field),
  }));
}

/** Commands for the actions of a record: `e` edits it, the others have no keys. */
export function rowActionCommands(
  actions: readonly RowAction[],
  title: string,
  onRun: (action: RowAction) => void,
): Command[] {
  return actions.map((action) => ({
    id: `row ${action.name}`,
    label: action.label,
    icon: action.icon,
    recordsText: title,
    ...(action.name === 'edit' && { keys: 'e' }),
    run: () => onRun(action),
  }));
}
