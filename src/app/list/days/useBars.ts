import { useMemo } from 'react';
import type { DaysView, Definition, Field, ResourceRecord, Tone } from '../../../engine/definitions/definition';
import { matchesOnScreen } from '../../../engine/conditions/match-on-screen';
import { fillTemplate } from '../../../engine/definitions/labels';
import type { Registry } from '../../../engine/registry/registry';
import { changeableEnds, type DaysEnd } from '../../../engine/lists/days-view';
import { keyedTitle } from '../../../engine/lists/row-actions';
import { embedsOf, recordTitleOf } from '../../../engine/lists/titles';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { spanOf, type Span } from './spans';

/** A record of a view of days. */
export interface DayItem {
  readonly id: ResourceRecord['id'];
  readonly record: ResourceRecord;
  readonly title: string;
  readonly tone?: Tone;
  /** The value that its colour shows, in words. */
  readonly colour?: string;
  readonly person?: string;
  readonly isDone: boolean;
  /** The ends that the user may change. */
  readonly ends: ReadonlySet<DaysEnd>;
  /** The user may give it other days as a whole. */
  readonly canMove: boolean;
  /** One of the days that it has is required. */
  readonly needsDays: boolean;
}

/** A record as a bar over its days. */
export interface Bar extends DayItem {
  readonly span: Span;
}

/** The bars of records, and the records without days, in the order of the records. */
export function useBars(
  definition: Definition,
  days: DaysView,
  records: readonly ResourceRecord[],
): { readonly bars: readonly Bar[]; readonly without: readonly DayItem[] } {
  const { registry, actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  return useMemo(() => {
    const bars: Bar[] = [];
    const undatedItems: DayItem[] = [];
    for (const record of records) {
      const span = spanOf(definition, days, record);
      const movableEnds = changeableEnds(definition, days, record, actor, evaluationContext);
      const set = (['start', 'end'] as const).flatMap((end) => {
        const fieldName = days[end];
        return fieldName !== undefined && hasValue(record[fieldName]) ? { end, fieldName } : [];
      });
      const item: DayItem = {
        ...{ id: record.id, record, ends: movableEnds },
        title: titleOfBar(definition, days, record),
        tone: toneOf(definition, registry, days.colour, record),
        colour: valueText(definition, registry, days.colour, record),
        person: valueText(definition, registry, days.person, record),
        isDone: days.done !== undefined && matchesOnScreen(definition, days.done, record, evaluationContext),
        canMove: set.every(({ end }) => movableEnds.has(end)),
        needsDays: set.some(({ fieldName }) => isNeeded(definition.fields[fieldName])),
      };
      if (span) bars.push({ ...item, span });
      else undatedItems.push(item);
    }
    return { bars, without: undatedItems };
  }, [actor, days, definition, evaluationContext, records, registry]);
}

const isNeeded = (field: Field | undefined) => field !== undefined && (field.required || field.requiredInForm);
const hasValue = (value: unknown) => value !== undefined && value !== null && value !== '';

/** The words of a bar or a row. */
function titleOfBar(definition: Definition, days: DaysView, record: ResourceRecord): string {
  const { key, name } = keyedTitle(definition, record, fillTemplate(days.title ?? '', record) || undefined);
  return key === undefined ? name : `${key} ${name}`;
}

function toneOf(
  { fields }: Definition,
  registry: Registry,
  name: string | undefined,
  record: ResourceRecord,
): Tone | undefined {
  const field = fields[name ?? ''];
  if (!field) return undefined;
  const value = String(record[field.name]);
  return field.options?.find((option) => option.value === value)?.tone ?? registry.get(field.to)?.chip?.tones[value];
}

/** The option or the title of the record that a field names. */
export function valueText(
  { fields }: Definition,
  registry: Registry,
  name: string | undefined,
  record: ResourceRecord,
): string | undefined {
  const field = fields[name ?? ''];
  if (!field || !hasValue(record[field.name])) return undefined;
  if (field.options) return field.options.find(({ value }) => value === record[field.name])?.label;
  const [embed] = embedsOf(field, record);
  return embed && recordTitleOf(registry.get(field.to), embed);
}
