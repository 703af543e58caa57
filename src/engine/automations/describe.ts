import type { Automation, ChangeEvent } from '../definitions/automation';
import type { Definition, Field, ResourceRecord } from '../definitions/definition';
import { fieldTypeOf } from '../field-types';
import { fieldOf } from '../definitions/accessors';
import { propertyOf, requireValue } from '../values/lookups';

const eventWords: Readonly<Record<ChangeEvent, string>> = {
  create: 'was created',
  update: 'was changed',
  delete: 'was deleted',
  comment: 'got a comment',
};

/**
 * Why an automation runs, in words: `Ran because Result of the test changed to Failed.` Values of fields that not
 * everybody may read are not named.
 *
 * @example describeReason(definition, automation, 'update', values, names); // 'Ran because Result changed to Failed.'
 */
export function describeReason(
  definition: Definition,
  { changedFields, transition, where: condition }: Automation,
  event: ChangeEvent,
  values: ResourceRecord,
  names: readonly string[],
): string {
  const singular = definition.labels.one.toLowerCase();
  const watchedFields = [...new Set([...(transition ? [transition.field] : []), ...changedFields])].filter((name) =>
    names.includes(name),
  );
  const parts =
    event === 'update' && watchedFields.length > 0
      ? watchedFields.map(
          (name) => `${fieldOf(definition, name).label} changed${toValue(fieldOf(definition, name), values)}`,
        )
      : [`the ${singular} ${eventWords[event]}`];
  return `Because ${parts.join(', ')}${condition ? ', and its condition was met' : ''}.`;
}

/** The part that a change lacks for an automation: any change, one of its fields, or its transition. */
export type Untouched = 'nothing' | 'changed' | 'transition';

/**
 * Why an automation does not run after a change, in words.
 *
 * @example describeUntouched(definition, automation, 'changed'); // 'None of its fields changes: Result.'
 */
export function describeUntouched(
  { fields, labels }: Definition,
  { changedFields, transition }: Automation,
  reason: Untouched,
): string {
  const labelsOf = (names: readonly string[]) => names.map((name) => propertyOf(fields, name).label).join(', ');
  if (reason === 'nothing') return `Nothing of the ${labels.one.toLowerCase()} changes.`;
  if (reason === 'changed') return `None of its fields changes: ${labelsOf(changedFields)}.`;
  const { field: fieldName, to: state } = requireValue(transition, `the transition of an automation of ${labels.many}`);
  const field = propertyOf(fields, fieldName);
  const option = field.options?.find(({ value }) => value === state);
  return `${field.label} does not become ${option?.label ?? state}.`;
}

/** ` to Failed`, for the options of a field. */
function toValue(field: Field, values: ResourceRecord): string {
  const value = values[field.name];
  if (field.secret || fieldTypeOf(field).isPrivate) return '';
  const option = field.options?.find((candidate) => candidate.value === value);
  if (option) return ` to ${option.label}`;
  return typeof value === 'boolean' ? ` to ${value ? 'yes' : 'no'}` : '';
}
