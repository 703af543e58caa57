import { sql, type RawBuilder } from 'kysely';
import { predicateOf } from '../../engine/conditions/match-condition';
import type { Predicate } from '../../engine/conditions/grammar';
import { expandParameters } from '../../engine/conditions/parameters';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { columnTypeOf } from '../../engine/field-types';
import type { FieldErrors } from '../../engine/validation/validate-values';
import type { RequestContext } from '../access/request-context';
import type { Queries } from '../database/database';
import { describeUses, refersToSql, collectUses, type RecordUses } from './delete-rows';

/**
 * A field of this record that must equal a field of the records that refer to it, by the `choices` of their relation.
 */
interface ChoiceEquality {
  readonly own: string;
  readonly theirs: string;
}

/**
 * Checks that records that refer to this one may keep doing so. If a relation's choices require the target's project to
 * be the record's own, moving the target to another project would break them. One statement per resource that depends
 * on a changed field; none for most changes.
 */
export async function dependentChoiceErrors(
  context: RequestContext,
  definition: Definition,
  id: number,
  values: ResourceRecord,
  changed: ReadonlySet<string>,
  trx: Queries,
): Promise<FieldErrors> {
  const found = new Map<string, Map<Definition, RawBuilder<unknown>[]>>();
  for (const { definition: user, field } of context.registry.referencesTo(definition.name)) {
    for (const { own, theirs } of choiceEqualities(definition, user, field)) {
      if (!changed.has(own)) continue;
      const column = sql.id('t', theirs);
      const value = (values[own] as number | string | null | undefined) ?? null;
      const stays = sql`${refersToSql(user, field, [id])} and ${column} is not null and ${column}::text is distinct from ${value === null ? null : String(value)}::text`;
      const referringRows = found.get(own) ?? new Map<Definition, RawBuilder<unknown>[]>();
      found.set(own, referringRows.set(user, [...(referringRows.get(user) ?? []), sql`(${stays})`]));
    }
  }
  const errors: FieldErrors = {};
  for (const [own, referringRows] of found) {
    const recordUses: RecordUses = { phrases: [], hasHiddenUses: false };
    for (const [user, any] of referringRows)
      await collectUses(context, user, sql`(${sql.join(any, sql` or `)})`, recordUses, trx);
    if (recordUses.phrases.length === 0 && !recordUses.hasHiddenUses) continue;
    const { label } = definition.fields[own]!;
    errors[own] =
      `${label} cannot change: this ${definition.labels.one.toLowerCase()} is used by ${describeUses(recordUses)} there. Move or delete those first.`;
  }
  return errors;
}

const equalitiesCache = new WeakMap<Field, readonly ChoiceEquality[]>();

/** The equalities in choices such as `{"project_id": "$form.project_id"}` that always have to hold. */
function choiceEqualities(definition: Definition, user: Definition, field: Field): readonly ChoiceEquality[] {
  if (!field.choices || field.virtual) return [];
  let ties = equalitiesCache.get(field);
  if (!ties) {
    ties = equalities(predicateOf(expandParameters(field.choices, definition))).filter(
      ({ own, theirs }) => isSingleColumn(definition.fields[own]) && isSingleColumn(user.fields[theirs]),
    );
    equalitiesCache.set(field, ties);
  }
  return ties;
}

function equalities(predicate: Predicate): ChoiceEquality[] {
  if (predicate.kind === 'all') return predicate.of.flatMap(equalities);
  if (predicate.kind !== 'compare' || predicate.operator !== '$eq') return [];
  const theirs = /^\$(?:form|record)\.(\w+)$/.exec(String(predicate.right))?.[1];
  return theirs === undefined ? [] : [{ own: predicate.left, theirs }];
}

/** Whether the table stores a single value of the field. */
const isSingleColumn = (field: Field | undefined) =>
  field !== undefined && !field.virtual && field.computed === undefined && columnTypeOf(field) !== null;
