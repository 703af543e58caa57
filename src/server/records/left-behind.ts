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

/** A field of this record that must equal a field of whoever refers to it, by the choices of the referring relation. */
interface Tie {
  readonly own: string;
  readonly theirs: string;
}

/**
 * Checks that records which refer to this one may go on doing so: where a relation's choices ask that the target's
 * project be the record's own, a target that moves to another project would leave them behind. One statement for each
 * resource that is tied by a changed field; none for most changes.
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
      const referring = found.get(own) ?? new Map<Definition, RawBuilder<unknown>[]>();
      found.set(own, referring.set(user, [...(referring.get(user) ?? []), sql`(${stays})`]));
    }
  }
  const errors: FieldErrors = {};
  for (const [own, referring] of found) {
    const uses: Uses = { words: [], isUsedUnseen: false };
    for (const [user, any] of referring) await usesOf(context, user, sql`(${sql.join(any, sql` or `)})`, uses, trx);
    if (uses.words.length === 0 && !uses.isUsedUnseen) continue;
    const { label } = definition.fields[own]!;
    errors[own] =
      `${label} cannot change: this ${definition.labels.one.toLowerCase()} is used by ${inWords(uses)} there. Move or delete those first.`;
  }
  return errors;
}

const known = new WeakMap<Field, readonly Tie[]>();

/** Choices such as `{"project_id": "$form.project_id"}`, as far as they are equalities that always have to hold. */
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

/** Whether a row keeps the field's one value. */
const isPlain = (field: Field | undefined) =>
  field !== undefined && !field.virtual && field.computed === undefined && columnOf(field) !== null;
