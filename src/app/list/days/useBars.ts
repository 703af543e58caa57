import { useMemo } from 'react';
import type { DaysView, Definition, ResourceRecord, Tone } from '../../../engine/definitions/definition';
import { matchesOnScreen } from '../../../engine/conditions/match-on-screen';
import { fillTemplate } from '../../../engine/definitions/labels';
import type { Registry } from '../../../engine/definitions/registry';
import { changeableEnds, type DaysEnd } from '../../../engine/lists/days-view';
import { recordTitle } from '../../../engine/lists/row-actions';
import { embedsOf, recordTitleOf } from '../../../engine/lists/titles';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { useEvaluationContext } from '../../admin/useEvaluationContext';
import { spanOf, type Span } from './spans';

/** A record as a bar. */
export interface Bar {
  readonly id: ResourceRecord['id'];
  readonly record: ResourceRecord;
  readonly span: Span;
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
}

/** The bars of records, in the order of the records; those without days are left out. */
export function useBars(
  definition: Definition,
  days: DaysView,
  records: readonly ResourceRecord[] | undefined,
): readonly Bar[] {
  const { registry, actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  return useMemo(
    () =>
      (records ?? []).flatMap((record): Bar[] => {
        const span = spanOf(definition, days, record);
        if (!span) return [];
        const ends = changeableEnds(definition, days, record, actor, evaluationContext);
        const set = (['start', 'end'] as const).filter((end) => hasValue(record[days[end] ?? '']));
        return [
          {
            ...{ id: record.id, record, span, ends },
            title: titleOfBar(definition, days, record),
            tone: toneOf(definition, registry, days.colour, record),
            colour: valueText(definition, registry, days.colour, record),
            person: valueText(definition, registry, days.person, record),
            isDone: days.done !== undefined && matchesOnScreen(definition, days.done, record, evaluationContext),
            canMove: set.every((end) => ends.has(end)),
          },
        ];
      }),
    [actor, days, definition, evaluationContext, records, registry],
  );
}

const hasValue = (value: unknown) => value !== undefined && value !== null && value !== '';

/** What a bar or a row says. */
function titleOfBar(definition: Definition, days: DaysView, record: ResourceRecord): string {
  return fillTemplate(days.title ?? '', record) || recordTitle(definition, record);
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
