import type { Definition, Field, ResourceRecord } from '../../../../engine/definitions/definition';
import type { Registry } from '../../../../engine/definitions/registry';
import { groupKeyOf } from '../../../../engine/lists/group-rows';
import { parseGrouping, withoutFirstDay } from '../../../../engine/lists/grouping';
import { embedsOf, recordTitleOf } from '../../../../engine/lists/titles';
import { localTimeZone } from '../../../../engine/formats/time-zone';

interface GroupContext {
  readonly definition: Definition;
  readonly registry: Registry;
}

/** The records of a group. */
interface Part {
  readonly key: string;
  readonly title: string | null;
  readonly records: ResourceRecord[];
}

/** Records by groups, as the server sorts these: options as written, others by title or value, empty ones last. */
function partsOf(records: readonly ResourceRecord[], name: string, { definition, registry }: GroupContext): Part[] {
  const grouping = parseGrouping(withoutFirstDay(name.replace(/^-/, '')), definition);
  if (!grouping) return [{ key: '', title: null, records: [...records] }];
  const field = definition.fields[grouping.field]!;
  const parts = new Map<string, Part>();
  for (const record of records) {
    const key = groupKeyOf(record, grouping, definition, localTimeZone());
    const part = parts.get(key) ?? { key, title: titleOf(field, record, registry), records: [] };
    parts.set(key, part);
    part.records.push(record);
  }
  const options = field.options?.map(({ value }) => String(value)) ?? [];
  const sign = name.startsWith('-') ? -1 : 1;
  return [...parts.values()].sort((one, other) => {
    if (one.key === '' || other.key === '') return Number(one.key === '') - Number(other.key === '');
    const order = options.indexOf(one.key) - options.indexOf(other.key);
    return sign * (order || (one.title ?? one.key).localeCompare(other.title ?? other.key));
  });
}

function titleOf(field: Field, record: ResourceRecord, registry: Registry): string | null {
  const [embed] = field.to === undefined ? [] : embedsOf(field, record);
  return embed ? recordTitleOf(registry.get(field.to), embed) : null;
}

/** Records in the order of their groups, without those of closed ones; `query` as in the list's call. */
export function sortByGroups(
  records: readonly ResourceRecord[],
  query: string,
  within: GroupContext,
): ResourceRecord[] {
  const parameters = new URLSearchParams(query);
  const closed = (JSON.parse(parameters.get('closed_groups') ?? '[]') as unknown[]).map((one) => String(one ?? ''));
  const parts = partsOf(records, parameters.get('group_by') ?? '', within);
  return parts.filter(({ key }) => !closed.includes(key)).flatMap((part) => part.records);
}

/** The response of `GET r/aggregate` for a list: its groups and totals. */
export function countGroups(
  records: readonly ResourceRecord[],
  parameters: URLSearchParams,
  within: GroupContext,
): object {
  const name = parameters.get('group');
  const takes = parameters.get('take')?.split(',') ?? [];
  const direction = parameters.get('sort_by')?.startsWith('-') ? '-' : '';
  const totals = figuresOf(records, takes);
  if (name === null) return { data: [{ group: {}, titles: {}, ...totals }], totals };
  const data = partsOf(records, direction + name, within).map(({ key, title, records: own }) => ({
    group: { [name]: key === '' ? null : key },
    titles: { [name]: title },
    ...figuresOf(own, takes),
  }));
  return { data, totals };
}

/** Numbers are added up; what a preview has of durations and of several currencies has no total. */
function figuresOf(records: readonly ResourceRecord[], takes: readonly string[]): ResourceRecord {
  const taken: Record<string, Record<string, number | null>> = {};
  for (const one of takes) {
    const [take, field] = one.split(':');
    if (field === undefined) continue;
    const values = records.map((record) => record[field]).filter((value) => typeof value === 'number');
    const sum = values.reduce((all, value) => all + value, 0);
    const found = {
      sum,
      avg: sum / values.length,
      min: Math.min(...values),
      max: Math.max(...values),
      count: values.length,
    };
    const value = values.length === 0 && take !== 'count' ? null : found[take as keyof typeof found];
    (taken[take === 'count' ? 'counts' : take!] ??= {})[field] = value;
  }
  return { count: records.length, ...taken };
}
