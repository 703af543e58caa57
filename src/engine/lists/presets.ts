import { isVariable } from '../conditions/grammar';
import { unresolved, resolveVariable, type EvaluationContext } from '../conditions/variables';
import { isRelations } from '../field-types/relations';
import type { Definition, ResourceRecord } from '../definitions/definition';
import { parentFieldsOf } from '../forms/dependent-fields';

/**
 * Values from a definition with `$record.…` and `$actor.…` resolved; those without a value are left out.
 *
 * @example resolveValues({ project_id: '$record.id' }, { ...evaluationContext, record }); // { project_id: 7 }
 */
export function resolveValues(
  written: Readonly<Record<string, unknown>>,
  evaluationContext: EvaluationContext,
): ResourceRecord {
  const entries = Object.entries(written).flatMap(([key, value]) => {
    const found = isVariable(value) ? resolveVariable(value, evaluationContext) : value;
    return found === unresolved || found === null || found === undefined ? [] : [[key, found] as const];
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
  written: Readonly<Record<string, unknown>>,
  origin: { definition: Definition; record: ResourceRecord },
  evaluationContext: EvaluationContext,
  initial: Readonly<Record<string, unknown>> = {},
): Presets {
  const ofOrigin = { ...evaluationContext, record: origin.record };
  const values = resolveValues(written, ofOrigin);
  const fixed = Object.keys(values).filter((name) => Object.hasOwn(definition.fields, name));
  const preset: ResourceRecord = {};
  for (const [name, value] of Object.entries(resolveValues(initial, ofOrigin))) {
    preset[name] = value;
    const { to, embed } = definition.fields[name] ?? {};
    // A related record is known by the name that it has in the other one.
    const own = origin.definition.fields[String(initial[name]).replace('$record.', '')];
    if (to !== undefined && own?.to === to && embed && own.embed) preset[embed] = origin.record[own.embed];
  }
  for (const name of fixed) {
    const field = definition.fields[name]!;
    const isOrigin = field.to === origin.definition.name && values[name] === origin.record.id;
    // One of several: the list contains the records that include it.
    const isOneOf = isRelations(field) && !Array.isArray(values[name]);
    preset[name] = isOneOf ? [values[name]] : values[name];
    if (isOrigin && field.embed) preset[field.embed] = isOneOf ? [origin.record] : origin.record;
    for (const parent of parentFieldsOf(field)) {
      const above = definition.fields[parent];
      const own = origin.definition.fields[parent];
      if (!above || !own || above.to !== own.to || parent in values) continue;
      preset[parent] = origin.record[parent];
      if (above.embed) preset[above.embed] = origin.record[own.embed ?? own.name];
    }
  }
  if ('site_id' in definition.fields && origin.record.site_id !== undefined) preset.site_id = origin.record.site_id;
  return { record: preset, fixed };
}
