import type { Definition, Field, RowAction } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { keyFields } from '../../engine/lists/inline-edit';
import type { Command } from '../commands/commands';
import { setFieldText } from './inline/setFieldText';

/** What has a key of its own about a record: a field, or undefined for the whole record. */
export type KeyedPart = Field | undefined;

/** Commands that set fields of a record: `a` its person, `s` its state; the others have no keys. */
export function setFieldCommands(
  definition: Definition,
  registry: Registry,
  fields: readonly Field[],
  about: string,
  onSet: (field: Field) => void,
): Command[] {
  const { person, state } = keyFields(definition, registry, fields);
  return fields.map((field) => ({
    id: `set ${field.name}`,
    ...setFieldText(field, person),
    about,
    ...(field === person ? { keys: 'a' } : field === state ? { keys: 's' } : {}),
    run: () => onSet(field),
  }));
}

/** Commands for the actions of a record: `e` edits it, the others have no keys. */
export function rowActionCommands(
  actions: readonly RowAction[],
  about: string,
  onRun: (action: RowAction) => void,
): Command[] {
  return actions.map((action) => ({
    id: `row ${action.name}`,
    label: action.label,
    icon: action.icon,
    about,
    ...(action.name === 'edit' && { keys: 'e' }),
    run: () => onRun(action),
  }));
}

/**
 * Commands for the keys of a record that none of the given commands has, as the user may not change that: they only say why,
 * and are listed nowhere.
 */
export function refusedCommands(
  definition: Definition,
  registry: Registry,
  readable: ReadonlySet<string>,
  commands: readonly Command[],
  onRefused: (part: KeyedPart) => void,
): Command[] {
  const { fields, list } = definition;
  const all = list.inlineEdit.flatMap((name) => (readable.has(name) && fields[name]) || []);
  const { person, state } = keyFields(definition, registry, all);
  const parts: readonly (readonly [string, KeyedPart])[] = [
    ...(person ? [['a', person] as const] : []),
    ...(state ? [['s', state] as const] : []),
    ...(list.actions.some(({ name }) => name === 'edit') ? [['e', undefined] as const] : []),
  ];
  return parts
    .filter(([keys]) => !commands.some((command) => command.keys === keys))
    .map(([keys, part]) => ({ id: `refused ${keys}`, label: '', keys, isRefused: true, run: () => onRefused(part) }));
}
