import { sql, type RawBuilder } from 'kysely';
import {
  isAnyRelation,
  type AnyRelationField,
  type Definition,
  type ResourceRecord,
} from '../../engine/definitions/definition';
import { isEmpty, type FieldErrors } from '../../engine/validation/validate-values';
import { unavailableChoiceMessage } from '../../engine/validation/messages';
import type { RequestContext } from '../access/request-context';
import { predicateToSql } from '../sql/predicate-to-sql';
import type { Queries } from '../database/database';
import { choiceFilter } from './choices';
import { nestingErrors } from './nesting';
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
 * As `referenceErrors` for each of many records, treating all fields as changed: one statement per target, however many
 * records. Results are added to `known`; the fields in `without` are not checked.
 */
export async function batchReferenceErrors(
  context: RequestContext,
  definition: Definition,
  records: readonly ResourceRecord[],
  known: CheckedReferences,
  trx: Queries,
  without: readonly string[] = [],
): Promise<FieldErrors[]> {
  const questions = new Map<string, ReferenceQuery>();
  const referencesPerRecord = records.map((values) =>
    referencesIn(definition, values, without).map(({ field, ids }) => {
      const company = field.name === 'site_id' ? undefined : recordCompany(definition, values);
      const where = choiceFilter(context, field, company, values);
      const key = `${field.name}|${JSON.stringify(where)}`;
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
  const nesting = Object.values(definition.fields).some(({ to, system }) => to === definition.name && !system);
  return Promise.all(
    referencesPerRecord.map(async (references, index) => {
      const wrong = references.filter(({ ids, key }) => !ids.every((id) => known.get(`${key}|${String(id)}`)));
      const errors = Object.fromEntries(wrong.map(({ field }) => [field.name, unavailableChoiceMessage(field)]));
      if (!nesting) return errors;
      const values = records[index]!;
      return { ...(await nestingErrors(definition, values, new Set(Object.keys(values)), trx)), ...errors };
    }),
  );
}

const isId = (id: unknown): id is number => Number.isInteger(id) && (id as number) > 0 && (id as number) <= maxId;

/** The relations of a record that have a value, and their ids. */
function referencesIn(
  definition: Definition,
  values: ResourceRecord,
  without: readonly string[],
): { field: AnyRelationField; ids: readonly unknown[] }[] {
  return Object.values(definition.fields).flatMap((field) => {
    const value = values[field.name];
    if (!isAnyRelation(field) || (field.system && field.name !== 'site_id') || isEmpty(value)) return [];
    if (without.includes(field.name)) return [];
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
