import type { Actor } from '../access/actor';
import { fieldsOfAllRecords } from '../access/access-decision';
import type { Definition, Field, ResourceRecord, TotalFunction } from '../definitions/definition';
import { fieldTypeOf } from '../field-types';
import { isMoney } from '../field-types/money';
import { dayInTimeZone, addDays, formatDate } from '../formats/dates';
import { formatMoney } from '../formats/money';
import { formatNumber } from '../formats/numbers';
import { firstDayOfWeek } from '../formats/personal';
import { readableColumns } from './columns';
import { hasPeriods } from './groupable';
import { canGroupList, type Grouping, type GroupUnit } from './grouping';
import { isTotalled, totalFunctions } from './totals';
import type { ListState } from './list-state';
import { firstOf, ownProperty, propertyOf } from '../values/lookups';
import { fieldOf } from '../definitions/accessors';

/** A group of a list, as the server counts it: `GET r/aggregate`. */
export interface ListGroup {
  /** Identifies it: its value as text, empty without a value. */
  readonly key: string;
  readonly value: unknown;
  /** The title of the record that the value is the id of. */
  readonly title: string | null;
  readonly count: number | undefined;
  /** The figures of its records, by function and field. */
  readonly figures: Figures;
}

/** `{ sum: { amount: 1200 }, counts: { hours: 3 } }`; amounts of several currencies are objects by currency. */
export type Figures = Readonly<ResourceRecord>;

/** A row of a grouped list: the heading of a group, or a record. */
export type GroupedRow<Row> =
  | { readonly group: ListGroup; readonly isClosed: boolean; readonly record?: undefined }
  | { readonly record: Row; readonly group?: undefined };

/**
 * The key of the group that a record belongs to, as the server groups it.
 *
 * @example groupKeyOf({ close_on: '2026-11-26' }, { field: 'close_on', unit: 'month' }, deals, 'Europe/Madrid'); // '2026-11-01'
 */
export function groupKeyOf(
  record: ResourceRecord,
  { field, unit }: Grouping,
  { fields }: Pick<Definition, 'fields'>,
  timeZone: string,
): string {
  const value = record[field];
  if (value === null || value === undefined) return '';
  const text = String(value);
  if (unit === undefined) return text;
  const isInstant = fieldTypeOf(propertyOf(fields, field)).holds === 'instant';
  return firstDayOf(isInstant ? dayInTimeZone(timeZone, new Date(text)) : text.slice(0, 10), unit);
}

/** The first day of the period that contains a day. Weeks begin as the person begins them. */
function firstDayOf(day: string, unit: GroupUnit): string {
  const [year, month] = [day.slice(0, 4), Number(day.slice(5, 7))];
  if (unit === 'day') return day;
  if (unit === 'week') return addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() - firstDayOfWeek() + 7) % 7));
  if (unit === 'month') return `${day.slice(0, 7)}-01`;
  if (unit === 'year') return `${year}-01-01`;
  return `${year}-${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`;
}

/**
 * The rows of a page of a grouped list. Each record is under the heading of its group, which is repeated on every
 * page that has records of it; closed groups have headings where their records would begin.
 *
 * @example placeGroups({ groups, records, keyOf, closed: ['3'], start: 15, isLast: false });
 */
export function placeGroups<Row>({
  groups,
  records,
  keyOf,
  closed: closedKeys,
  start,
  isLast,
}: {
  /** All groups, in their order. */
  groups: readonly ListGroup[];
  /** The records of the page, in the order of the groups. */
  records: readonly Row[];
  keyOf: (record: Row) => string;
  closed: readonly string[];
  /** How many records of open groups are on the pages before. */
  start: number;
  isLast: boolean;
}): GroupedRow<Row>[] {
  const closedGroups = new Set(closedKeys);
  const knownKeys = new Set(groups.map(({ key }) => key));
  const byGroup = new Map<string, Row[]>();
  for (const record of records) byGroup.set(keyOf(record), [...(byGroup.get(keyOf(record)) ?? []), record]);
  // A record that just changed may be in a group that is not counted yet.
  const uncounted = [...byGroup.keys()]
    .filter((key) => !knownKeys.has(key))
    .map((key): ListGroup => ({ key, value: key || null, title: null, count: undefined, figures: {} }));
  const rows: GroupedRow<Row>[] = [];
  let recordsBefore = 0;
  for (const group of [...groups, ...uncounted]) {
    const isClosed = closedGroups.has(group.key);
    const groupRecords = byGroup.get(group.key) ?? [];
    const isHere = recordsBefore >= start && (recordsBefore < start + records.length || isLast);
    if (isClosed ? isHere : groupRecords.length > 0) rows.push({ group, isClosed });
    // Just closed: its records are still in the page that was loaded before.
    if (isClosed) continue;
    rows.push(...groupRecords.map((record) => ({ record })));
    recordsBefore += group.count ?? groupRecords.length;
  }
  return rows;
}

const quarterOf = (day: string) => Math.ceil(Number(day.slice(5, 7)) / 3);
const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/**
 * The heading of a group as text: `Negotiation`, `November 2026`, `No owner`, or what its cells say without a value.
 *
 * @example groupTitle({ key: '2026-11-01', value: '2026-11-01', title: null }, { field: 'close_on', unit: 'month' }, deals.fields.close_on);
 */
export function groupTitle(
  { key, value, title }: Pick<ListGroup, 'key' | 'value' | 'title'>,
  { unit }: Grouping,
  field: Field,
): string {
  if (key === '') return field.emptyText ?? `No ${lowerFirst(field.label)}`;
  if (unit === 'day') return formatDate(key);
  if (unit === 'week') return `Week of ${formatDate(key)}`;
  if (unit === 'month') return `${months[Number(key.slice(5, 7)) - 1]} ${key.slice(0, 4)}`;
  if (unit === 'quarter') return `Q${quarterOf(key)} ${key.slice(0, 4)}`;
  if (unit === 'year') return key.slice(0, 4);
  if (fieldTypeOf(field).holds === 'record') return title ?? `#${key}`;
  return fieldTypeOf(field).toText(value, field) || key;
}

/** `Assignee` within a sentence; `QA lead` stays as it is. */
function lowerFirst(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

/** A grouping that users can choose. */
export interface GroupChoice {
  readonly field: string;
  readonly label: string;
  /** The periods of a date. */
  readonly units?: readonly { readonly unit: GroupUnit; readonly label: string }[];
}

const units = (['day', 'week', 'month', 'quarter', 'year'] as const).map((unit) => ({
  unit,
  label: unit.charAt(0).toUpperCase() + unit.slice(1),
}));

/**
 * The groupings that users can choose for a list: the fields of the definition, or else all columns that can be grouped.
 *
 * @example groupChoices(deals, actor).map(({ label }) => label); // ['Stage', 'Owner', 'Expected Close', …]
 */
export function groupChoices(definition: Definition, actor: Actor): GroupChoice[] {
  const { group } = definition.list;
  const columns = readableColumns(definition, actor);
  const readableFields = fieldsOfAllRecords(actor, definition);
  const defaultNames = group?.field === undefined ? [] : [firstOf(group.field.split(':'))];
  const names = group?.fields ?? [...new Set([...columns.map(({ field }) => field), ...defaultNames])];
  return names.flatMap((name) => {
    const field = ownProperty(definition.fields, name);
    if (!field || !canGroupList(field) || !readableFields.has(name)) return [];
    const label = columns.find((column) => column.field === name)?.label ?? field.label;
    return [{ field: name, label, ...(hasPeriods(field) && { units }) }];
  });
}

/** The labels of the totals of a list. */
export const totalLabels: Readonly<Record<TotalFunction, string>> = {
  sum: 'Sum',
  avg: 'Average',
  min: 'Lowest',
  max: 'Highest',
  count: 'Number of values',
};

/**
 * The totals that a list shows: those that were chosen, or else those of its definition, as far as the actor can read
 * the fields.
 *
 * @example totalsOf({}, deals, actor); // { amount: 'sum' }
 */
export function totalsOf(
  { totals }: Pick<ListState, 'totals'>,
  definition: Definition,
  actor: Actor,
): Readonly<Record<string, TotalFunction>> {
  const possibleNames = new Set(totalledFields(definition, actor).map(({ name }) => name));
  const wantedTotals = Object.entries(totals ?? definition.list.totals ?? {});
  return Object.fromEntries(
    wantedTotals.filter(([name, take]) => possibleNames.has(name) && totalFunctions.includes(take)),
  );
}

/**
 * The fields of a list's columns that have totals.
 *
 * @example totalledFields(deals, actor).map(({ name }) => name); // ['amount', 'offered']
 */
export function totalledFields(definition: Definition, actor: Actor): Field[] {
  const readable = fieldsOfAllRecords(actor, definition);
  return readableColumns(definition, actor).flatMap(({ field }) => {
    const totalledField = readable.has(field) ? fieldOf(definition, field) : undefined;
    return totalledField && isTotalled(totalledField) ? [totalledField] : [];
  });
}

/**
 * The query for the aggregates of a list.
 *
 * @example takesOf({ amount: 'sum' }); // 'count,sum:amount'
 */
export function takesOf(totals: Readonly<Record<string, TotalFunction>>): string {
  return ['count', ...Object.entries(totals).map(([name, take]) => `${take}:${name}`)].join();
}

/**
 * A total as text; empty where no record has a value. Amounts in several currencies are named one by one.
 *
 * @example totalText({ sum: { amount: { EUR: 20, USD: 5 } } }, deals.fields.amount, 'sum'); // '€20.00 + $5.00'
 */
export function totalText(figures: Figures, field: Field, take: TotalFunction): string {
  const totals = figures[take === 'count' ? 'counts' : take] as ResourceRecord | undefined;
  const value = totals?.[field.name];
  if (value === null || value === undefined) return '';
  if (take === 'count') return formatNumber(value as number);
  if (isMoney(field) && typeof value === 'object')
    return Object.entries(value)
      .map(([currency, amount]) => formatMoney(amount as number, currency, field.digits))
      .join(take === 'sum' ? ' + ' : ', ');
  const { holds: valueKind } = fieldTypeOf(field);
  if (take === 'avg' && valueKind === 'number' && !isMoney(field)) return formatNumber(value as number);
  return fieldTypeOf(field).toText(value, field);
}
