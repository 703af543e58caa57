import type { Actor } from '../access/actor';
import { fieldsOfAllRecords } from '../access/access-decision';
import type { Definition, Field } from '../definitions/definition';
import { fieldTypeOf } from '../field-types';
import { firstDayOfWeek } from '../formats/personal';
import { hasPeriods, isGroupable } from './groupable';
import { ownProperty } from '../values/lookups';

/** The periods by which days and instants are grouped; a group is named by its first day. */
export const groupUnits = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type GroupUnit = (typeof groupUnits)[number];

/** The field that a list is grouped by, and the period if it is a date. */
export interface Grouping {
  readonly field: string;
  readonly unit?: GroupUnit;
}

/** As it is asked for: `close_on:month`, `close_on:week:0`. */
export interface NamedGrouping extends Grouping {
  readonly name: string;
}

/**
 * Whether a list can be grouped by a field: one record, one option, yes or no, or a date.
 *
 * @example canGroupList(deals.fields.stage_id); // true
 */
export function canGroupList(field: Field): boolean {
  if (!field.sortable || field.secret || !isGroupable(field)) return false;
  return field.options !== undefined || ['record', 'boolean'].includes(fieldTypeOf(field).holds) || hasPeriods(field);
}

/**
 * Reads what a list is grouped by: `stage_id`, `close_on:month`. Undefined for what is no grouping of this list.
 *
 * @example parseGrouping('close_on:month', deals); // { field: 'close_on', unit: 'month' }
 */
export function parseGrouping(text: string, { fields }: Pick<Definition, 'fields'>): Grouping | undefined {
  const [name = '', unit, ...rest] = text.split(':');
  const field = ownProperty(fields, name);
  if (!field || rest.length > 0 || !canGroupList(field)) return undefined;
  if (!hasPeriods(field)) return unit === undefined ? { field: name } : undefined;
  if (!groupUnits.includes(unit as GroupUnit)) return undefined;
  return { field: name, unit: unit as GroupUnit };
}

/**
 * The grouping of a list: its own or that of its definition, as far as the actor can read the field.
 *
 * @example groupingOf({ group: 'close_on:month' }, deals, actor); // { name: 'close_on:month', field: 'close_on', unit: 'month' }
 */
export function groupingOf(
  { group }: { readonly group?: string | null },
  definition: Definition,
  actor: Actor,
): NamedGrouping | undefined {
  const name = group === undefined ? definition.list.group?.field : group;
  const grouping = name ? parseGrouping(name, definition) : undefined;
  if (!name || !grouping || !fieldsOfAllRecords(actor, definition).has(grouping.field)) return undefined;
  return { name: askedGroup(name), ...grouping };
}

/**
 * The grouping as the server's calls name it: weeks with the day that the person begins them with, unless that is
 * Monday.
 *
 * @example askedGroup('close_on:month'); // 'close_on:month'
 */
export function askedGroup(name: string): string {
  const first = firstDayOfWeek();
  return first !== 1 && name.endsWith(':week') ? `${name}:${first}` : name;
}

/**
 * A grouping without the day that its weeks begin with.
 *
 * @example withoutFirstDay('close_on:week:0'); // 'close_on:week'
 */
export function withoutFirstDay(name: string): string {
  return name.replace(/:week:[0-6]$/, ':week');
}

/** The part of a list's state that the call of a grouped list depends on. */
interface ShownOrder {
  readonly closed?: readonly string[];
  readonly sort: { readonly field: string; readonly order: 'ASC' | 'DESC' };
}

/**
 * The part of a list's call that groups its records, with the groups that are closed; empty without a grouping. The
 * groups are in descending order where the list is sorted so by the same field.
 *
 * @example groupQuery({ closed: ['3', ''], sort }, { name: 'stage_id', field: 'stage_id' }); // '&group_by=stage_id&closed_groups=["3",null]', encoded
 */
export function groupQuery({ closed: closedKeys = [], sort }: ShownOrder, grouping: NamedGrouping): string {
  const values = closedKeys.map((key) => (key === '' ? null : key));
  const order = sort.field === grouping.field && sort.order === 'DESC' ? '-' : '';
  return `&group_by=${order}${grouping.name}${closedKeys.length > 0 ? `&closed_groups=${encodeURIComponent(JSON.stringify(values))}` : ''}`;
}
