import { predicateOf } from '../conditions/match-condition';
import { relatedTestsIn, type RelatedTest } from '../conditions/related-tests';
import { comparedFields } from '../conditions/variables-in';
import type { Condition, Definition, Field } from '../definitions/definition';
import { templateFields } from '../definitions/labels';
import { computedColumns, isRows } from '../field-types/rows';
import { computedKind } from '../conditions/computed-kind';
import { lookupPath, rollupOf } from './derivations';
import { expressionOf, usesCalendar } from './grammar';
import { sourceFields } from './references';
import { ownProperty } from '../values/lookups';

/** The values that conditions on values to be stored read besides these. */
export interface ConditionNeeds {
  /** Tests on related records. */
  readonly tests: readonly RelatedTest[];
  /** The computed fields that they compare, with those that these are computed from, and rows with computed columns. */
  readonly computed: readonly Field[];
}

/**
 * The values that are needed to evaluate conditions on the values of a record, besides the values.
 *
 * @example conditionNeeds(orders, [{ total: { $gt: 1000 } }]).computed; // [total, and what it is computed from]
 */
export function conditionNeeds(definition: Definition, conditions: readonly (Condition | undefined)[]): ConditionNeeds {
  const tests: RelatedTest[] = [];
  const computedFields = new Set<Field>();
  const addCondition = (condition: Condition): void => {
    tests.push(...relatedTestsIn(predicateOf(condition)));
    comparedFields(condition).forEach(addField);
  };
  const addField = (name: string): void => {
    const field = ownProperty(definition.fields, name);
    if (field && hasComputedColumns(field)) computedFields.add(field);
    const kind = field && computedKind(field);
    if (!field || kind === undefined || computedFields.has(field)) return;
    computedFields.add(field);
    if (kind === 'condition') addCondition(field.computed as Condition);
    else if (kind === 'expression') sourceFields(field).forEach(addField);
  };
  for (const condition of conditions) if (condition) addCondition(condition);
  return { tests, computed: [...computedFields] };
}

const formNeeds = new WeakMap<Definition, ConditionNeeds>();

/**
 * The needs of the conditions by which a definition shows, requires and validates fields when a record is stored.
 *
 * @example formConditionNeeds(deals).tests.length; // 0, if they compare only the values of deals
 */
export function formConditionNeeds(definition: Definition): ConditionNeeds {
  let cachedNeeds = formNeeds.get(definition);
  if (!cachedNeeds) {
    const fields = Object.values(definition.fields);
    const { tests, computed: computedFields } = conditionNeeds(definition, [
      ...fields.flatMap((field) => [field.visible, field.requiredWhen, field.readOnlyWhen]),
      ...definition.validate.flatMap(({ condition, where: scopeCondition }) => [condition, scopeCondition]),
    ]);
    const rows = fields.filter((field) => hasComputedColumns(field) && hasConditions(field));
    cachedNeeds = { tests, computed: [...new Set([...computedFields, ...rows])] };
    formNeeds.set(definition, cachedNeeds);
  }
  return cachedNeeds;
}

function hasComputedColumns(field: Field): boolean {
  return isRows(field) && computedColumns(field).length > 0;
}

/** Whether columns of rows are required by conditions, which may compare computed ones. */
function hasConditions(field: Field): boolean {
  return isRows(field) && Object.values(field.columns).some(({ requiredWhen }) => requiredWhen !== undefined);
}

/**
 * As `formConditionNeeds`, with those of the transitions of fields that change.
 *
 * @example changeConditionNeeds(loans, (name) => changed.has(name));
 */
export function changeConditionNeeds(definition: Definition, isChanged: (name: string) => boolean): ConditionNeeds {
  const base = formConditionNeeds(definition);
  const moves = Object.values(definition.fields).flatMap(({ name, transitions = [] }) =>
    isChanged(name) ? transitions.map(({ where: condition }) => condition) : [],
  );
  if (!moves.some((condition) => condition)) return base;
  const moveNeeds = conditionNeeds(definition, moves);
  return {
    tests: [...base.tests, ...moveNeeds.tests],
    computed: [...new Set([...base.computed, ...moveNeeds.computed])],
  };
}

/**
 * Whether only the database can compute a field: from other records, by a template that names them, or with calendars.
 *
 * @example needsDatabase(orders.fields.customer_city); // true: a lookup
 */
export function needsDatabase(field: Field): boolean {
  const kind = computedKind(field);
  if (kind === 'expression') return usesCalendar(expressionOf(field.computed as object));
  if (kind === 'template') return templateFields(field.computed as string).some((path) => path.includes('.'));
  return kind === 'lookup' || (kind === 'rollup' && rollupOf(field).rows === undefined);
}

/**
 * The fields and embeds of the record that the database reads to compute fields.
 *
 * @example storedSources(orders, [customerCity]); // ['customer_id']
 */
export function storedSources({ fields }: Definition, computedFields: readonly Field[]): readonly string[] {
  const names = new Set<string>();
  const add = (field: Field): void => {
    const sources = computedKind(field) === 'lookup' ? lookupPath(field).slice(0, 1) : sourceFields(field);
    for (const name of sources) {
      const source = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (source?.computed !== undefined) add(source);
      else names.add(name);
    }
  };
  computedFields.forEach(add);
  return [...names];
}
