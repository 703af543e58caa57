import { isVariable } from '../conditions/grammar';
import { unresolved, resolveVariable, type EvaluationContext } from '../conditions/variables';
import { isRelations } from '../field-types/relations';
import type { Definition, ResourceRecord } from '../definitions/definition';
import { parentFieldsOf } from '../forms/dependent-fields';
import { fieldOf } from '../definitions/accessors';

/**
 * Values from a definition with `$record.…` and `$actor.…` resolved; those without a value are left out.
 *
 * @example resolveValues({ project_id: '$record.id' }, { ...evaluationContext, record }); // { project_id: 7 }
 */
export function resolveValues(
  source: Readonly<Record<string, unknown>>,
  evaluationContext: EvaluationContext,
): ResourceRecord {
  const entries = Object.entries(source).flatMap(([key, value]) => {
    const resolvedValue = isVariable(value) ? resolveVariable(value, evaluationContext) : value;
    return resolvedValue === unresolved || resolvedValue === null || resolvedValue === undefined
      ? []
      : [[key, resolvedValue] as const];
  });
  return Object.fromEntries(entries);
}

/** The initial values of a new record's form. */
export interface Presets {
  /** As a record with the known embeds, so that names show immediately. */
  readonly record: ResourceRecord;
  /** The fields that are not for the user to choose. */
  readonly fixed: readonly string[];
}

/**
 * The initial values of a record that is added from another one: the given values and, if their choices depend on other
 * fields (a task's on its project), the values of those fields from the other record. Those of `initial` can be changed.
 *
 * @example presetsFromRecord(timeLogs, { task_id: '$record.id' }, { definition: tasks, record }, evaluationContext);
 */
export function presetsFromRecord(
  definition: Definition,
  source: Readonly<Record<string, unknown>>,
  origin: { definition: Definition; record: ResourceRecord },
  evaluationContext: EvaluationContext,
  initial: Readonly<Record<string, unknown>> = {},
): Presets {
  const ofOrigin = { ...evaluationContext, record: origin.record };
  const values = resolveValues(source, ofOrigin);
  const fixedNames = Object.keys(values).filter((name) => Object.hasOwn(definition.fields, name));
  const preset: ResourceRecord = {};
  for (const [name, value] of Object.entries(resolveValues(initial, ofOrigin))) {
    preset[name] = value;
    const { to: target, embed } = definition.fields[name] ?? {};
    // A related record is known by the name that it has in the other one.
    const originField = origin.definition.fields[String(initial[name]).replace('$record.', '')];
    if (target !== undefined && originField?.to === target && embed && originField.embed)
      preset[embed] = origin.record[originField.embed];
  }
  for (const name of fixedNames) {
    const field = fieldOf(definition, name);
    const isOrigin = field.to === origin.definition.name && values[name] === origin.record.id;
    // One of several: the list contains the records that include it.
    const isOneOf = isRelations(field) && !Array.isArray(values[name]);
    preset[name] = isOneOf ? [values[name]] : values[name];
    if (isOrigin && field.embed) preset[field.embed] = isOneOf ? [origin.record] : origin.record;
    for (const parent of parentFieldsOf(field)) {
      const parentField = definition.fields[parent];
      const originField = origin.definition.fields[parent];
      if (!parentField || !originField || parentField.to !== originField.to || parent in values) continue;
      preset[parent] = origin.record[parent];
      if (parentField.embed) preset[parentField.embed] = origin.record[originField.embed ?? originField.name];
    }
  }
  if ('site_id' in definition.fields && origin.record.site_id !== undefined) preset.site_id = origin.record.site_id;
  return { record: preset, fixed: fixedNames };
}
