import type { Actor } from '../access/actor';
import { allowedFields } from '../access/access-decision';
import { canDo } from '../access/can-do';
import type { EvaluationContext } from '../conditions/variables';
import type { Definition, Field, ResourceRecord } from '../definitions/definition';
import type { Registry } from '../registry/registry';
import { fieldTypeOf } from '../field-types';
import { isArchived } from './row-actions';

/**
 * Whether a field's type can be edited in a cell.
 *
 * @example isEditableInline(definition.fields.status_id); // true
 */
export function isEditableInline(field: Field): boolean {
  return fieldTypeOf(field).fitsCell === true && !field.multiple;
}

/**
 * The fields of this record that the actor may edit in its list, in the definition's order. Conditions that only the form or
 * the server knows may still refuse a value.
 *
 * @example inlineFields(definition, record, actor, evaluationContext).map(({ name }) => name); // ['status_id']
 */
export function inlineFields(
  definition: Definition,
  record: ResourceRecord,
  actor: Actor,
  evaluationContext: EvaluationContext,
): Field[] {
  const { inlineEdit } = definition.list;
  if (inlineEdit.length === 0 || actor.viewer || isArchived(record)) return [];
  if (!canDo(actor, definition, 'edit', record, evaluationContext)) return [];
  const writableFields = allowedFields(actor, definition, 'edit', record, evaluationContext);
  return inlineEdit.flatMap((name) => {
    const field = definition.fields[name];
    return field && !field.readOnly && writableFields.has(name) && isEditableInline(field) ? [field] : [];
  });
}

/**
 * The first of some fields that says who has a record, and the first that says how far it is.
 *
 * @example keyFields(definition, registry, fields).state?.name; // 'status_id'
 */
export function keyFields(
  definition: Definition,
  registry: Registry,
  fields: readonly Field[],
): { person?: Field; state?: Field } {
  const shapeOf = ({ to: target }: Field) => (target === undefined ? undefined : registry.get(target)?.chip?.shape);
  const board = definition.list.kanban?.column;
  return {
    person: fields.find((field) => shapeOf(field) === 'avatar'),
    state: fields.find((field) => field.name === board || field.transitions || shapeOf(field) === 'ring'),
  };
}
