import { isRelation } from '../field-types/relation';
import type { Definition, FieldOf } from '../definitions/definition';
import type { Registry } from './registry';

/** The fields by which the records of one resource are assigned to those of another. */
export interface AssignedFields {
  readonly definition: Definition;
  readonly fields: readonly FieldOf<'relation'>[];
}

/**
 * The relations by which records are assigned to those of a resource that keeps deleted records for their names, such as
 * users: each to one record, and chosen by people. Who created or changed a record, and other relations that nobody
 * chooses (`readOnly`), say what happened and are no assignment. Empty for resources that keep nothing.
 *
 * @example assignedFields(registry, users).map(({ definition }) => definition.name); // ['deals', 'visits']
 */
export function assignedFields(registry: Registry, { name, delete: { keep } }: Definition): readonly AssignedFields[] {
  if (!keep) return [];
  const byDefinition = new Map<Definition, FieldOf<'relation'>[]>();
  for (const { definition, field } of registry.referencesTo(name)) {
    if (!isRelation(field) || field.system || field.readOnly || field.virtual || field.computed !== undefined) continue;
    byDefinition.set(definition, [...(byDefinition.get(definition) ?? []), field]);
  }
  return Array.from(byDefinition, ([definition, fields]) => ({ definition, fields }));
}
