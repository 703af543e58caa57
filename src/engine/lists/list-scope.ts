import { fieldsOfAllRecords } from '../access/access-decision';
import type { Actor } from '../access/actor';
import type { Definition, MenuEntry, ResourceRecord, Switcher } from '../definitions/definition';
import { isStoredRelation } from '../field-types/relation';
import type { Registry } from '../registry/registry';

/** The record to which a person has narrowed all lists that refer to it. */
export interface ListScope {
  readonly resource: string;
  readonly id: number;
  /** The fields of its title, as relations embed them. */
  readonly embed?: ResourceRecord;
}

/** A definition whose records narrow lists. */
export type SwitcherDefinition = Definition & { readonly menu: MenuEntry & { readonly switcher: Switcher } };

/**
 * The definition whose records stand in the switcher; undefined: there is none.
 *
 * @example switcherDefinition(registry)?.name; // 'projects'
 */
export function switcherDefinition({ definitions }: Pick<Registry, 'definitions'>): SwitcherDefinition | undefined {
  return [...definitions.values()].find(
    (definition): definition is SwitcherDefinition => definition.menu?.switcher !== undefined,
  );
}

/**
 * The filter of a list that narrows it to records of one record of `resource`: its first relation to it, else its first
 * parameter about it. Undefined if it has neither, if the actor may not read that field of every record, in the list of these
 * records themselves, and in the settings, which are about everything.
 *
 * @example scopeFilterName(tasks, 'projects', actor); // 'project_id'
 */
export function scopeFilterName(definition: Definition, resource: string, actor: Actor): string | undefined {
  const { fields, parameters, menu } = definition;
  // A relation among these records themselves, as to a parent, is about other records.
  if (menu?.settings || definition.name === resource) return undefined;
  const readableFields = fieldsOfAllRecords(actor, definition);
  const relation = Object.values(fields).find(
    (field) => isStoredRelation(field) && field.to === resource && field.filterable && readableFields.has(field.name),
  );
  return relation?.name ?? Object.keys(parameters).find((name) => parameters[name]?.resource === resource);
}

/**
 * The fixed filters of a list (its tab, the condition of a tile) and the scope. A choice for the list itself wins: a filter
 * of its address or saved view, or a fixed one.
 *
 * @example filterInScope(tasks, { resource: 'projects', id: 3 }, actor, {}, { state: 'open' }); // { project_id: 3, state: 'open' }
 */
export function filterInScope(
  definition: Definition,
  scope: ListScope | undefined,
  actor: Actor,
  filters: Readonly<ResourceRecord>,
  fixedFilter: Readonly<ResourceRecord>,
): Readonly<ResourceRecord> {
  const name = scope && scopeFilterName(definition, scope.resource, actor);
  if (name === undefined || name in filters || name in fixedFilter) return fixedFilter;
  return { [name]: scope?.id, ...fixedFilter };
}

/**
 * The values with which a new record of a definition begins in a scope.
 *
 * @example presetsInScope(tasks, { resource: 'projects', id: 3 }); // { project_id: 3 }
 */
export function presetsInScope({ name, fields }: Definition, scope: ListScope | undefined): ResourceRecord {
  if (name === scope?.resource) return {};
  const relation = Object.values(fields).find((field) => isStoredRelation(field) && field.to === scope?.resource);
  if (!relation || !scope) return {};
  return { [relation.name]: scope.id, ...(relation.embed && scope.embed && { [relation.embed]: scope.embed }) };
}
