import { sql, type RawBuilder } from 'kysely';
import { predicateOf } from '../../engine/conditions/match-condition';
import { isVariable, type Predicate } from '../../engine/conditions/grammar';
import type { Condition, Definition, Field } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { columnTypeOf } from '../../engine/field-types';
import { predicateToSql } from '../sql/predicate-to-sql';
import { quoteIdentifier } from './schema-object';
import type { FieldRule } from './value-rules';

/** The context in which rule violations are counted; `t` is the future rows. */
export interface RuleContext {
  readonly definition: Definition;
  readonly registry: Registry;
  /** The future rows, as an SQL `from` item. */
  readonly from: string;
}

/** Rules that require a value which was optional before. */
export function stricterPresence(
  field: Field,
  before: Field | undefined,
  value: RawBuilder<unknown>,
  place: RuleContext,
): FieldRule[] {
  const shown = field.visible ? conditionSql(field.visible, place) : sql`true`;
  const none = sql`(${value} is null or ${value}::text = '')`;
  const missing = shown && sql`${none} and ${shown}`;
  const { label } = field;
  if (field.required)
    return before?.required ? [] : [{ key: 'required', text: `${label} must be filled in`, violation: missing }];
  if (field.requiredInForm && !before?.requiredInForm)
    return [{ key: 'required', text: `The form asks for ${label}`, violation: missing }];
  if (!field.requiredWhen || isSameJson(field.requiredWhen, before?.requiredWhen)) return [];
  const wanted = conditionSql(field.requiredWhen, place);
  const broken = missing && wanted && sql`${missing} and ${wanted}`;
  return [{ key: 'required', text: `${label} must be filled in under a condition`, violation: broken }];
}

/** Rules on the order of two values, on future dates and on nesting depth that are new or stricter. */
export function stricterOrder(
  field: Field,
  before: Field | undefined,
  value: RawBuilder<unknown>,
  place: RuleContext,
): FieldRule[] {
  const { fields } = place.definition;
  const found: FieldRule[] = [];
  const other = (name: string) => {
    const column = sql.id('t', name);
    return columnTypeOf(field) === 'text' ? sql`${column} collate "C"` : column;
  };
  if (field.notBefore !== undefined && field.notBefore !== before?.notBefore) {
    const text = `${field.label} must not be before ${fields[field.notBefore]?.label ?? field.notBefore}`;
    found.push({ key: 'notBefore', text, violation: sql`${value} < ${other(field.notBefore)}` });
  }
  if (field.after !== undefined && field.after !== before?.after) {
    const text = `${field.label} must be after ${fields[field.after]?.label ?? field.after}`;
    found.push({ key: 'after', text, violation: sql`${value} <= ${other(field.after)}` });
  }
  if (field.notAfter !== undefined && before?.notAfter === undefined)
    found.push({
      key: 'notAfter',
      text: `${field.label} cannot be in the future`,
      violation: sql`${value} > current_date`,
    });
  if (field.maxDepth !== undefined && field.maxDepth < (before?.maxDepth ?? Infinity))
    found.push({
      key: 'maxDepth',
      text: `${place.definition.labels.many} can be nested at most ${field.maxDepth} levels deep`,
      violation: tooDeepSql(field, field.maxDepth, place),
    });
  return found;
}

/** Matches rows nested deeper than allowed; follows parents only as far as needed. */
function tooDeepSql({ name }: Field, maxDepth: number, { from }: RuleContext): RawBuilder<unknown> {
  const above = quoteIdentifier(name);
  return sql.raw(`t.id in (with recursive up(id, parent, height) as (
    select id, ${above}, 1 from ${from} a
    union all select up.id, b.${above}, up.height + 1 from up join ${from} b on b.id = up.parent where up.height <= ${maxDepth})
    select id from up where height > ${maxDepth})`);
}

/** A condition on the future rows in SQL; undefined if only a form could evaluate it. */
function conditionSql(condition: Condition, { definition, registry }: RuleContext): RawBuilder<unknown> | undefined {
  const predicate = toRecordPredicate(predicateOf(condition));
  try {
    return predicate && sql`(${predicateToSql(predicate, definition, 't', registry, null)}) is true`;
  } catch {
    return undefined;
  }
}

/**
 * `$form.status` on the left is the record's own field. Any other variable of a form or its user is unknown here:
 * undefined.
 */
function toRecordPredicate(predicate: Predicate): Predicate | undefined {
  if (predicate.kind === 'compare') {
    const left = /^\$(?:form|record)\.(\w+)$/.exec(predicate.left)?.[1] ?? predicate.left;
    const rights = Array.isArray(predicate.right) ? (predicate.right as unknown[]) : [predicate.right];
    return isVariable(left) || rights.some(isVariable) ? undefined : { ...predicate, left };
  }
  if (predicate.kind === 'not' || predicate.kind === 'some') {
    const of = toRecordPredicate(predicate.of);
    return of && { ...predicate, of };
  }
  const parts = predicate.of.map(toRecordPredicate);
  return parts.includes(undefined) ? undefined : { ...predicate, of: parts as Predicate[] };
}

function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
