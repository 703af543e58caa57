import type { Actor } from '../access/actor';
import { fieldsOfAllRecords } from '../access/access-decision';
import { comparedFields } from '../conditions/variables-in';
import type { Chart, Definition, Field, ResourceRecord, Tone } from '../definitions/definition';
import type { Registry } from '../registry/registry';
import { fieldTypeOf } from '../field-types';
import { addDays, formatDate, shortMonthNames } from '../formats/dates';
import { choiceOrder } from './choice-order';
import { askedGroup } from './grouping';
import { hasPeriods } from './groupable';
import { fieldOf } from '../definitions/accessors';
import { requireValue } from '../values/lookups';

/** A group as the server counts it: `GET r/aggregate`. */
export interface CountedGroup {
  readonly group: Readonly<Record<string, unknown>>;
  readonly titles?: Readonly<Record<string, string | null>>;
  readonly count?: number;
  readonly sum?: Readonly<Record<string, unknown>>;
  readonly avg?: Readonly<Record<string, unknown>>;
}

/** A label or series of a chart: a value of the field it is grouped by. */
export interface ChartEntry {
  /** As in records: an id, an option's value, the first day of a period; null: none. */
  readonly value: unknown;
  readonly label: string;
  readonly tone?: Tone;
}

/** The figures of a chart: each of the series has a value for each label. */
export interface ChartFigures {
  readonly labels: readonly ChartEntry[];
  readonly series: readonly (ChartEntry & { readonly values: readonly number[] })[];
}

/** Periods without records are shown as 0 up to so many labels. */
const mostPeriods = 400;

/**
 * The charts of a list that the actor may see: those of fields that they may read.
 *
 * @example chartsFor(films, actor).map(({ name }) => name); // ['by-stage']
 */
export function chartsFor(definition: Definition, actor: Actor): readonly Chart[] {
  const { charts } = definition.list;
  if (charts.length === 0) return charts;
  const readable = fieldsOfAllRecords(actor, definition);
  return charts.filter((chart) => fieldsOf(chart).every((name) => readable.has(name)));
}

function fieldsOf({ group, series, take, where: condition }: Chart): readonly string[] {
  return [
    group,
    series,
    take === 'count' ? undefined : take.field,
    ...(condition ? comparedFields(condition) : []),
  ].filter((name) => name !== undefined);
}

/**
 * The query of `GET r/aggregate` for a chart, within the filter of a list's call.
 *
 * @example chartQuery(chart, { studio_id: 3 }); // { group: 'stage_id', take: 'count', filter: '{"studio_id":3}' }
 */
export function chartQuery(chart: Chart, filter: Readonly<ResourceRecord> = {}): Record<string, string> {
  const names = [
    ...(chart.group === undefined ? [] : [groupName(chart)]),
    ...(chart.series === undefined ? [] : [chart.series]),
  ];
  return {
    ...(names.length > 0 && { group: names.join() }),
    take: chart.take === 'count' ? 'count' : `${chart.take.of}:${chart.take.field}`,
    ...(chart.where && { where: JSON.stringify(chart.where) }),
    ...(Object.keys(filter).length > 0 && { filter: JSON.stringify(filter) }),
  };
}

const groupName = ({ group = '', step }: Chart) => (step ? askedGroup(`${group}:${step}`) : group);

/**
 * The figures of a chart from the server's groups: dates in their order with the periods between them, options and
 * records in the order of choices, what has no value last.
 *
 * @example chartFigures(films, chart, groups, registry).labels; // [{ value: 2, label: 'Filming' }]
 */
export function chartFigures(
  definition: Definition,
  chart: Chart,
  groups: readonly CountedGroup[],
  registry: Registry,
): ChartFigures {
  const isAverage = chart.take !== 'count' && chart.take.of === 'avg';
  const labels =
    chart.group === undefined ? [singleEntry(chart)] : entriesOf(definition, chart, 'group', groups, registry);
  const allLabels = chart.step && !isAverage ? withPeriodsBetween(labels, chart.step) : labels;
  const series =
    chart.series === undefined ? [singleEntry(chart)] : entriesOf(definition, chart, 'series', groups, registry);
  const numbers = new Map(
    groups.map((countedGroup) => [keyOf(chart, countedGroup), numberOf(definition, chart, countedGroup)]),
  );
  return {
    labels: allLabels,
    series: series.map((seriesEntry) => ({
      ...seriesEntry,
      values: allLabels.map((label) => numbers.get(JSON.stringify([label.value, seriesEntry.value])) ?? 0),
    })),
  };
}

const singleEntry = ({ label }: Chart): ChartEntry => ({ value: null, label });

const keyOf = (chart: Chart, { group }: CountedGroup) =>
  JSON.stringify([
    chart.group === undefined ? null : (group[groupName(chart)] ?? null),
    chart.series === undefined ? null : (group[chart.series] ?? null),
  ]);

/** The figure that was taken of a group; durations in minutes. */
function numberOf({ fields }: Definition, { take }: Chart, countedGroup: CountedGroup): number {
  if (take === 'count') return countedGroup.count ?? 0;
  const field = fields[take.field];
  const value = countedGroup[take.of]?.[take.field] ?? null;
  const number = field && value !== null ? fieldTypeOf(field).parse(value, field) : 0;
  return typeof number === 'number' ? number : Number(number) || 0;
}

function entriesOf(
  definition: Definition,
  chart: Chart,
  key: 'group' | 'series',
  groups: readonly CountedGroup[],
  registry: Registry,
): ChartEntry[] {
  const field = fieldOf(definition, requireValue(chart[key], `the ${key} of a chart`));
  const name = key === 'group' ? groupName(chart) : field.name;
  const entries = new Map<unknown, ChartEntry>();
  for (const { group, titles } of groups) {
    const value = group[name] ?? null;
    if (!entries.has(value)) entries.set(value, entryOf(field, value, titles?.[name], chart.step, registry));
  }
  return [...entries.values()].sort(orderOf(field, registry));
}

function entryOf(
  field: Field,
  value: unknown,
  title: string | null | undefined,
  step: Chart['step'],
  registry: Registry,
): ChartEntry {
  if (value === null) return { value, label: field.emptyText ?? `No ${field.label.toLowerCase()}`, tone: 'neutral' };
  if (hasPeriods(field)) return { value, label: periodLabel(String(value), step ?? 'day') };
  const target = registry.get(field.to ?? '');
  if (target) {
    const tone = target.chip?.tones[String(value)];
    return { value, label: title ?? `#${String(value)}`, ...(tone && { tone }) };
  }
  const tone = field.options?.find((option) => option.value === value)?.tone;
  return { value, label: fieldTypeOf(field).toText(value, field) || String(value), ...(tone && { tone }) };
}

/** The order of labels: what has no value last. */
function orderOf(field: Field, registry: Registry): (one: ChartEntry, other: ChartEntry) => number {
  const target = registry.get(field.to ?? '');
  const optionIndexes = field.options && new Map(field.options.map(({ value }, index) => [value as unknown, index]));
  const isByTitle = target !== undefined && choiceOrder(target).field !== 'id';
  const rank = ({ value, label }: ChartEntry): string | number =>
    isByTitle ? label : (optionIndexes?.get(value) ?? (typeof value === 'number' ? value : String(value)));
  return (firstEntry, secondEntry) => {
    if (firstEntry.value === null || secondEntry.value === null)
      return Number(firstEntry.value === null) - Number(secondEntry.value === null);
    const [left, right] = [rank(firstEntry), rank(secondEntry)];
    return typeof left === 'number' && typeof right === 'number'
      ? left - right
      : String(left).localeCompare(String(right), 'en', { numeric: true });
  };
}

/** `2026-11-02` as the label of its period: `02-Nov-2026`, `week of 02-Nov-2026`, `Nov 2026`. */
function periodLabel(day: string, step: NonNullable<Chart['step']>): string {
  if (step === 'month') return `${shortMonthNames[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`;
  return step === 'week' ? `Week of ${formatDate(day)}` : formatDate(day);
}

function nextPeriod(day: string, step: NonNullable<Chart['step']>): string {
  if (step === 'day') return addDays(day, 1);
  if (step === 'week') return addDays(day, 7);
  return `${addDays(`${day.slice(0, 7)}-28`, 4).slice(0, 7)}-01`;
}

/** The periods with those between them that have no records. */
function withPeriodsBetween(labels: readonly ChartEntry[], step: NonNullable<Chart['step']>): readonly ChartEntry[] {
  const days = labels.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return labels;
  const entries: ChartEntry[] = [];
  for (let day = first; day <= last; day = nextPeriod(day, step)) {
    if (entries.length === mostPeriods) return labels;
    entries.push({ value: day, label: periodLabel(day, step) });
  }
  return [...entries, ...labels.filter(({ value }) => value === null)];
}

/**
 * The filters of the list that show what a label and series count; undefined where no filter can say it: what has no
 * value, and a chart with a condition of its own.
 *
 * @example chartFilters(films, chart, { value: 2, label: 'Filming' }); // { stage_id: 2 }
 */
export function chartFilters(
  definition: Definition,
  chart: Chart,
  label: ChartEntry,
  series?: ChartEntry,
): ResourceRecord | undefined {
  if (chart.where) return undefined;
  const filters: ResourceRecord = {};
  for (const [name, entry] of [
    [chart.group, label],
    [chart.series, series],
  ] as const) {
    if (name === undefined || !entry) continue;
    const field = fieldOf(definition, name);
    if (entry.value === null) return undefined;
    if (!hasPeriods(field)) filters[name] = entry.value;
    else if (fieldTypeOf(field).holds !== 'day') return undefined;
    else {
      const day = String(entry.value);
      filters[`${name}_from`] = day;
      filters[`${name}_to`] = addDays(nextPeriod(day, chart.step ?? 'day'), -1);
    }
  }
  return filters;
}
