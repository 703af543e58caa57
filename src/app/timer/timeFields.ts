import type { Definition, FieldOf, ResourceRecord } from '../../engine/definitions/definition';
import { columnTypeOf } from '../../engine/field-types';
import { fieldOf } from '../../engine/definitions/accessors';
import { requireValue } from '../../engine/values/lookups';

/** A record that time is spent on. */
export interface TimeTarget {
  readonly id: number;
  readonly title: string;
}

/**
 * The fields of a resource with a timer.
 *
 * @example timeFieldsOf(definition).relation.to; // 'tasks'
 */
export function timeFieldsOf(definition: Definition) {
  const { relation, start, end } = requireValue(definition.timer, `the timer of ${definition.name}`);
  const startField = fieldOf(definition, start) as FieldOf<'time'>;
  const remark = definition.form.sections
    .flatMap(({ fields }) => fields.map((name) => fieldOf(definition, name)))
    .find((field) => !field.readOnly && field.searchable && columnTypeOf(field) === 'text');
  return {
    relation: fieldOf(definition, relation) as FieldOf<'relation'>,
    start: startField,
    end: fieldOf(definition, end) as FieldOf<'time'>,
    date: requireValue(startField.dateField, `dateField of ${start}`),
    /** Where people say in words on what the time was spent. */
    remark,
  };
}

interface TimeParts {
  readonly date?: string;
  readonly start?: string;
  readonly end?: string;
  readonly comment?: string;
}

/** The values of the form of a new record, with the name of what the time was spent on. */
export function timePreset(
  definition: Definition,
  target: TimeTarget | null | undefined,
  parts: TimeParts,
): ResourceRecord {
  const { relation, start, end, date, remark } = timeFieldsOf(definition);
  const values: Record<string, unknown> = {
    [date]: parts.date,
    [start.name]: parts.start,
    [end.name]: parts.end,
    ...(remark && { [remark.name]: parts.comment || undefined }),
  };
  return {
    ...(target && {
      [relation.name]: target.id,
      ...(relation.embed && { [relation.embed]: { ...target, name: target.title } }),
    }),
    ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)),
  };
}
