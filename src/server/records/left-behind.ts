import { sql, type RawBuilder } from 'kysely';
import { predicateOf } from '../../engine/conditions/evaluate';
import type { Predicate } from '../../engine/conditions/grammar';
import { expandParameters } from '../../engine/conditions/parameters';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { columnOf } from '../../engine/field-types';
import type { FieldErrors } from '../../engine/validation/check-values';
import type { RequestContext } from '../access/request-context';
import type { Queries } from '../database/database';
import { inWords, pointsAt, usesOf, type Uses } from './removal';

/**
 * A field of this record that must equal a field of the records that refer to it, by the `choices` of their relation.
 */
interface Tie {
  readonly own: string;
  readonly theirs: string;
}

/**
 * Checks that records that refer to this one may keep doing so. If a relation's choices require the target's project to
 * be the record's own, moving the target to another project would break them. One statement per resource that depends
 * on a changed field; none for most changes.
 */
export async function leftBehindErrors(
  context: RequestContext,
  definition: Definition,
  id: number,
  values: ResourceRecord,
  changed: ReadonlySet<string>,
  trx: Queries,
): Promise<FieldErrors> {
  const found = new Map<string, Map<Definition, RawBuilder<unknown>[]>>();
  for (const { definition: user, field } of context.registry.referencesTo(definition.name)) {
    for (const { own, theirs } of tiesOf(definition, user, field)) {
      if (!changed.has(own)) continue;
      const column = sql.id('t', theirs);
      const value = (values[own] as number | string | null | undefined) ?? null;
      const stays = sql`${pointsAt(user, field, [id])} and ${column} is not null and ${column}::text is distinct from ${value === null ? null : String(value)}::text`;
      const referringRows = found.get(own) ?? new Map<Definition, RawBuilder<unknown>[]>();
      found.set(own, referringRows.set(user, [...(referringRows.get(user) ?? []), sql`(${stays})`]));
    }
  }
  const errors: FieldErrors = {};
  for (const [own, referringRows] of found) {
    const recordUses: Uses = { words: [], isUsedUnseen: false };
    for (const [user, any] of referringRows)
      await usesOf(context, user, sql`(${sql.join(any, sql` or `)})`, recordUses, trx);
    if (recordUses.words.length === 0 && !recordUses.isUsedUnseen) continue;
    const { label } = definition.fields[own]!;
    errors[own] =
      `${label} cannot change: this ${definition.labels.one.toLowerCase()} is used by ${inWords(recordUses)} there. Move or delete those first.`;
  }
  return errors;
}

const known = new WeakMap<Field, readonly Tie[]>();

/** The equalities in choices such as `{"project_id": "$form.project_id"}` that always have to hold. */
function tiesOf(definition: Definition, user: Definition, field: Field): readonly Tie[] {
  if (!field.choices || field.virtual) return [];
  let ties = known.get(field);
  if (!ties) {
    ties = equalities(predicateOf(expandParameters(field.choices, definition))).filter(
      ({ own, theirs }) => isPlain(definition.fields[own]) && isPlain(user.fields[theirs]),
    );
    known.set(field, ties);
  }
  return ties;
}

function equalities(predicate: Predicate): Tie[] {
  if (predicate.kind === 'all') return predicate.of.flatMap(equalities);
  if (predicate.kind !== 'compare' || predicate.operator !== '$eq') return [];
  const theirs = /^\$(?:form|record)\.(\w+)$/.exec(String(predicate.right))?.[1];
  return theirs === undefined ? [] : [{ own: predicate.left, theirs }];
}

/** Whether the table stores a single value of the field. */
const isPlain = (field: Field | undefined) =>
  field !== undefined && !field.virtual && field.computed === undefined && columnOf(field) !== null;
