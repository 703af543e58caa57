import { sql, type RawBuilder } from 'kysely';
import type { AnyRelationField, Definition, ResourceRecord } from '../../engine/definitions/definition';
import { isAnyRelation } from '../../engine/field-types/relation';
import { isEmpty } from '../../engine/validation/is-empty';
import { unavailableChoiceMessage } from '../../engine/validation/messages';
import type { FieldErrors } from '../../engine/validation/validate-values';
import type { RequestContext } from '../access/request-context';
import type { Queries } from '../database/database';
import { predicateToSql } from '../sql/predicate-to-sql';
import { choiceFilter } from './choices';
import { recordCompany } from './references';

/** Known results: whether a field, under the conditions of its choices, may refer to an id. */
export type CheckedReferences = Map<string, boolean>;

/** How many conditions one statement checks. */
const maxConditions = 100;
const maxId = 2_147_483_647;

/** The ids to check under one condition. */
interface ReferenceQuery {
  readonly target: Definition;
  readonly where: ReturnType<typeof choiceFilter>;
  readonly ids: Set<number>;
}

/**
 * The references of many records that their fields may not have: one statement per target, however many records. Results
 * are added to `known`; only the fields for which `isChecked` is true are checked, by record.
 */
export async function unavailableReferences(
  context: RequestContext,
  definition: Definition,
  records: readonly ResourceRecord[],
  isChecked: (field: AnyRelationField, index: number) => boolean,
  known: CheckedReferences,
  trx: Queries,
): Promise<FieldErrors[]> {
  const questions = new Map<string, ReferenceQuery>();
  const referencesPerRecord = records.map((values, index) =>
    referencesIn(definition, values, (field) => isChecked(field, index)).map(({ field, ids }) => {
      const company = field.name === 'site_id' ? undefined : recordCompany(definition, values);
      const where = choiceFilter(context, field, company, values);
      const key = `${definition.name}|${field.name}|${JSON.stringify(where)}`;
      const question = questions.get(key) ?? {
        target: context.registry.getOrThrow(field.to),
        where,
        ids: new Set<number>(),
      };
      questions.set(key, question);
      for (const id of ids) if (isId(id) && !known.has(`${key}|${id}`)) question.ids.add(id);
      return { field, ids, key };
    }),
  );
  const openQueries = [...questions].filter(([, { ids }]) => ids.size > 0);
  const targets = new Set(openQueries.map(([, { target }]) => target));
  for (const target of targets) {
    const own = openQueries.filter(([, question]) => question.target === target);
    for (let from = 0; from < own.length; from += maxConditions) {
      await runReferenceQueries(context, own.slice(from, from + maxConditions), known, trx);
    }
  }
  return referencesPerRecord.map((references) => {
    const wrong = references.filter(({ ids, key }) => !ids.every((id) => known.get(`${key}|${String(id)}`)));
    return Object.fromEntries(wrong.map(({ field }) => [field.name, unavailableChoiceMessage(field)]));
  });
}

const isId = (id: unknown): id is number => Number.isInteger(id) && (id as number) > 0 && (id as number) <= maxId;

/** The relations of a record that have a value, and their ids. */
function referencesIn(
  definition: Definition,
  values: ResourceRecord,
  isChecked: (field: AnyRelationField) => boolean,
): { field: AnyRelationField; ids: readonly unknown[] }[] {
  return Object.values(definition.fields).flatMap((field) => {
    const value = values[field.name];
    if (!isAnyRelation(field) || (field.system && field.name !== 'site_id') || isEmpty(value)) return [];
    if (!isChecked(field)) return [];
    return [{ field, ids: Array.isArray(value) ? value : [value] }];
  });
}

/** Checks all ids of one target at once, each under its own condition. */
async function runReferenceQueries(
  { registry, evaluationContext }: RequestContext,
  questions: readonly (readonly [string, ReferenceQuery])[],
  known: CheckedReferences,
  trx: Queries,
): Promise<void> {
  const parts = questions.map(([, { target, where, ids }], index): RawBuilder<unknown> => {
    const allowed = predicateToSql(where, target, 't', registry, evaluationContext);
    return sql`select ${sql.lit(index)}::integer as question, t.id from ${sql.id('public', target.table)} t
      where t.id = any(${[...ids]}::integer[]) and ${allowed}`;
  });
  const { rows } = await sql<{ question: number; id: number }>`${sql.join(parts, sql` union all `)}`.execute(trx);
  for (const [key, { ids }] of questions) for (const id of ids) known.set(`${key}|${id}`, false);
  for (const { question, id } of rows) known.set(`${questions[question]![0]}|${id}`, true);
}
