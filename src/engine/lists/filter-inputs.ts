import { Level } from '../definitions/level';
import type { Actor } from '../access/actor';
import { fieldsOfAllRecords, isGranted } from '../access/access-decision';
import type { Column, Condition, Definition, Field, Filter } from '../definitions/definition';
import type { Registry } from '../registry/registry';
import { fieldTypeOf, type ValueKind } from '../field-types';
import { isAnyRelation } from '../field-types/relation';
import type { ColumnChoice } from './columns';
import { isFilterable } from './filter-text';

export type FilterKind = 'records' | 'options' | 'flag' | 'date' | 'time' | 'number' | 'text';

/** An input of the filters dialog. */
export interface FilterInput {
  readonly name: string;
  readonly label: string;
  readonly kind: FilterKind;
  /** The names that it sets in the list's filters: one, or `x_from` and `x_to`. */
  readonly keys: readonly string[];
  readonly many: boolean;
  readonly field?: Field;
  /** records: the resource they are of. */
  readonly to?: string;
  /** records: narrows the choices by other filters of the dialog. */
  readonly choices?: Condition;
  readonly allLabel?: string;
}

/**
 * The dialog's inputs for this actor: the definition's filters, the company for level 1, and the archive.
 *
 * @example filterInputs(definition, registry, actor).map(({ name }) => name); // ['project_id', 'created_at']
 */
export function filterInputs(definition: Definition, registry: Registry, actor: Actor): FilterInput[] {
  const inputs = definition.list.filters.map((filter) => inputOfFilter(filter, definition));
  const company = definition.fields.site_id;
  if (actor.level === Level.Installation && company && !inputs.some(({ keys }) => keys.includes('site_id'))) {
    inputs.push(columnFilter(company));
  }
  const offeredInputs = inputs.filter((input) => canOfferInput(input, definition, registry, actor));
  return definition.archive ? [...offeredInputs, archiveInput] : offeredInputs;
}

const archiveInput: FilterInput = {
  name: 'archive',
  label: 'Show Archive',
  kind: 'flag',
  keys: ['archive'],
  many: false,
};

/**
 * The filter input of a field, as in a column's menu: a range if the type supports it.
 *
 * @example columnFilter(createdAt); // a range of days
 */
export function columnFilter(field: Field): FilterInput {
  return inputOfField(field, {
    name: field.name,
    field: field.name,
    label: field.label,
    multiple: isAnyRelation(field) || field.options !== undefined,
    range: fieldTypeOf(field).hasRangeFilter,
  });
}

/**
 * The filters in the column menus, by the column's field. A column of an embedded record filters by the relation that
 * embeds it. A user's stored choice can turn a column's filter off.
 *
 * @example columnFilters(definition, registry, actor, columns, null).get('status_id');
 */
export function columnFilters(
  definition: Definition,
  registry: Registry,
  actor: Actor,
  columns: readonly Column[],
  choices: readonly ColumnChoice[] | null,
): ReadonlyMap<string, FilterInput> {
  const readableFields = fieldsOfAllRecords(actor, definition);
  const switchedOff = new Set(choices?.flatMap(({ field, filter }) => (filter ? [] : [field])));
  const inputsByColumn = new Map<string, FilterInput>();
  for (const column of columns) {
    const field = filteredField(column.field, definition);
    if (!field || !isFilterable(field) || !readableFields.has(field.name) || switchedOff.has(column.field)) continue;
    const input = { ...columnFilter(field), label: column.label };
    if (canOfferInput(input, definition, registry, actor)) inputsByColumn.set(column.field, input);
  }
  return inputsByColumn;
}

function filteredField(column: string, { fields }: Definition): Field | undefined {
  const dot = column.indexOf('.');
  if (dot < 0 || Object.hasOwn(fields, column)) return Object.hasOwn(fields, column) ? fields[column] : undefined;
  const head = column.slice(0, dot);
  return Object.values(fields).find(({ embed, name }) => embed === head || name === head);
}

function inputOfFilter(filter: Filter, definition: Definition): FilterInput {
  const parameter = Object.hasOwn(definition.parameters, filter.field)
    ? definition.parameters[filter.field]
    : undefined;
  const field = definition.fields[filter.field] ?? (parameter?.field ? definition.fields[parameter.field] : undefined);
  if (field) return inputOfField(field, filter, parameter?.resource);
  return {
    name: filter.name,
    label: filter.label,
    kind: parameter?.resource ? 'records' : parameter?.kind === 'flag' ? 'flag' : 'text',
    keys: [filter.field],
    many: filter.multiple,
    to: parameter?.resource,
    choices: filter.choices,
    allLabel: filter.allLabel,
  };
}

function inputOfField(field: Field, filter: Filter, target = field.to): FilterInput {
  const isRange = filter.range && fieldTypeOf(field).hasRangeFilter;
  return {
    name: filter.name,
    label: filter.label,
    kind: kindOf(field),
    keys: isRange ? [`${filter.field}_from`, `${filter.field}_to`] : [filter.field],
    many: filter.multiple,
    field,
    to: target,
    choices: filter.choices,
    allLabel: filter.allLabel,
  };
}

const kindsByValue: Partial<Readonly<Record<ValueKind, FilterKind>>> = {
  boolean: 'flag',
  day: 'date',
  instant: 'date',
  time: 'time',
  number: 'number',
};

function kindOf(field: Field): FilterKind {
  if (field.to) return 'records';
  if (field.options) return 'options';
  return kindsByValue[fieldTypeOf(field).holds] ?? 'text';
}

/** Whether the actor can list the records of the input, or at least choose them in the form. */
function canOfferInput(input: FilterInput, definition: Definition, registry: Registry, actor: Actor): boolean {
  if (input.kind !== 'records') return true;
  return canList(input.to, registry, actor) || (!!input.field && canChoose(definition, actor));
}

/**
 * Whether the actor can list the resource, so that its records can be offered.
 *
 * @example canList('projects', registry, actor);
 */
export function canList(resource: string | undefined, registry: Registry, actor: Actor): boolean {
  return resource !== undefined && registry.get(resource) !== undefined && isGranted(actor, resource, 'list');
}

function canChoose(definition: Definition, actor: Actor): boolean {
  return isGranted(actor, definition.name, 'create') || isGranted(actor, definition.name, 'edit');
}

/**
 * The filter on the offered records: the input's `choices` with the dialog's values in place of `$form.…`. A value that
 * is not chosen yet narrows nothing.
 *
 * @example choicesFilter(input, { project_id: 7 }); // { project_id: 7 }
 */
export function choicesFilter(input: FilterInput, filters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(input.choices ?? {}).map(([key, value]) => {
    const filterName = typeof value === 'string' ? /^\$form\.(\w+)$/.exec(value)?.[1] : undefined;
    return [key, filterName ? filters[filterName] : value] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null && value !== ''));
}

/**
 * The names of the inputs whose values narrow this one's choices.
 *
 * @example parentInputsOf(input); // ['project_id']
 */
export function parentInputsOf(input: FilterInput): string[] {
  return Object.values(input.choices ?? {}).flatMap((value) => {
    const name = typeof value === 'string' ? /^\$form\.(\w+)$/.exec(value)?.[1] : undefined;
    return name ? [name] : [];
  });
}
