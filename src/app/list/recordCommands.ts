import type { Definition, Field, RowAction, ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { keyFields } from '../../engine/lists/inline-edit';
import type { Command } from '../commands/commands';
import { setFieldText } from './inline/setFieldText';
import { useNotify } from 'react-admin';
import { useDefinitions } from '../data/DefinitionsContext';
import { useEvaluationContext } from '../data/useEvaluationContext';

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

/**
 * Returns a function that adds to the commands of a record what its keys say that none of them has: why the record cannot be
 * changed by them.
 */
export function useRefusedCommands(
  definition: Definition,
): (record: ResourceRecord, commands: readonly Command[]) => Command[] {
  const { actor, registry } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const notify = useNotify();
  return (record, commands) => {
    const refusalOf = (keys: string): Command => ({
      ...{ id: keys, label: '', keys, isRefused: true },
      // Loaded when it is said: lists have no bytes to spare.
      run: () =>
        void import('../actions/refusalWords').then(({ refusalWords }) => {
          const words = refusalWords(definition, record, keys, { actor, registry, evaluationContext });
          if (words) notify(words, { type: 'info', messageArgs: { _: words } });
        }),
    });
    return [
      ...commands,
      ...['a', 's', 'e'].filter((keys) => !commands.some((command) => command.keys === keys)).map(refusalOf),
    ];
  };
}
