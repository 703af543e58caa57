import { fieldsOfAllRecords } from '../access/access-decision';
import type { Actor } from '../access/actor';
import type { Definition, MenuEntry, ResourceRecord, Switcher, SwitcherCount } from '../definitions/definition';
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
 * The resource whose records a count of the switcher counts, and the relation by which they point to its records.
 *
 * @example countedRelation({ source: 'tasks.project_id', one: 'task', many: 'tasks' }); // { resource: 'tasks', relation: 'project_id' }
 */
export function countedRelation({ source }: SwitcherCount): { readonly resource: string; readonly relation: string } {
  const [resource = '', relation = ''] = source.split('.');
  return { resource, relation };
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

/** Who looks at lists, and what there is. */
interface ScopeContext {
  readonly registry: Registry;
  readonly actor: Actor;
}

/**
 * The fixed filters of a list (its tab, the condition of a tile) and the scope. A choice for the list itself wins: a filter
 * of its address or saved view, or a fixed one, about the same or about a record that belongs to one such record.
 *
 * @example filterInScope(tasks, { resource: 'projects', id: 3 }, context, {}, { state: 'open' }); // { project_id: 3, state: 'open' }
 */
export function filterInScope(
  definition: Definition,
  scope: ListScope | undefined,
  { registry, actor }: ScopeContext,
  filters: Readonly<ResourceRecord>,
  fixedFilter: Readonly<ResourceRecord>,
): Readonly<ResourceRecord> {
  const name = scope && scopeFilterName(definition, scope.resource, actor);
  if (!scope || name === undefined) return fixedFilter;
  const { fields, parameters } = definition;
  const saysWhere = Object.entries({ ...filters, ...fixedFilter }).some(([key, value]) => {
    const target = isId(value) && registry.get(fields[key]?.to ?? parameters[key]?.resource ?? '');
    return key === name || (target && relationTo(target, scope));
  });
  return saysWhere ? fixedFilter : { [name]: scope.id, ...fixedFilter };
}

/** Whether the value of a filter names records. */
const isId = (value: unknown) => [value].flat().some((member) => Number(member) > 0);

/**
 * The field by which each record of a definition belongs to one record of the scope's resource.
 *
 * @example relationTo(tasks, { resource: 'projects', id: 3 })?.name; // 'project_id'
 */
export const relationTo = ({ name, fields }: Definition, scope: ListScope) =>
  name === scope.resource
    ? undefined
    : Object.values(fields).find((field) => isStoredRelation(field) && field.to === scope.resource);
