import type { Condition } from '../definitions/definition';
import { isVariable, type Comparison, type Predicate } from './grammar';
import { predicateOf } from './match-condition';
import { describeRelativeTime, parseRelativeTime } from './relative-time';

const operatorSigns: Readonly<Record<Comparison, string>> = {
  $eq: '=',
  $ne: '≠',
  $gt: '>',
  $gte: '≥',
  $lt: '<',
  $lte: '≤',
  $in: 'in',
  $nin: 'not in',
  $contains: 'contains',
  $below: 'is or is below',
};

const variables: Readonly<Record<string, string>> = {
  '$actor.id': 'me',
  '$actor.level': 'my level',
  '$actor.role': 'my role',
  '$actor.role_id': 'my role',
  '$actor.site_id': 'my company',
  '$actor.lists': 'modules I can list',
  $today: 'today',
  $now: 'now',
};

/**
 * A condition as readable text: `created_by = me`, `project_id.user_ids = me`. Empty for a condition that always
 * matches.
 *
 * @example describeCondition({ created_by: '$actor.id' }); // 'created_by = me'
 */
export function describeCondition(condition: Condition): string {
  return describePredicate(predicateOf(condition), '', false);
}

function describePredicate(predicate: Predicate, path: string, inner: boolean): string {
  switch (predicate.kind) {
    case 'all':
    case 'any': {
      const parts = predicate.of.map((part) => describePredicate(part, path, predicate.of.length > 1));
      const text = parts.join(predicate.kind === 'all' ? ' and ' : ' or ');
      return inner && parts.length > 1 ? `(${text})` : text;
    }
    case 'not':
      return `not ${describePredicate(predicate.of, path, true)}`;
    case 'some': {
      const fieldPath = `${path}${predicate.field}`;
      const relatedPredicate = predicate.of;
      if (relatedPredicate.kind === 'compare' && relatedPredicate.operator === '$below')
        return `${fieldPath} ${operatorSigns.$below} ${describeValue(relatedPredicate.right)}`;
      return relatedPredicate.kind === 'all' && relatedPredicate.of.length === 0
        ? `has ${fieldPath}`
        : describePredicate(relatedPredicate, `${fieldPath}.`, inner);
    }
    case 'compare': {
      const left = isVariable(predicate.left) ? describeValue(predicate.left) : `${path}${predicate.left}`;
      if (predicate.right === null && predicate.operator === '$eq') return `${left} is empty`;
      if (predicate.right === null && predicate.operator === '$ne') return `${left} is set`;
      return `${left} ${operatorSigns[predicate.operator]} ${describeValue(predicate.right)}`;
    }
  }
}

function describeValue(value: unknown): string {
  const relative = isVariable(value) && parseRelativeTime(value);
  if (relative) return describeRelativeTime(relative);
  if (isVariable(value)) return variables[value] ?? value.slice(1).replace('.', ' ').replaceAll('_', ' ');
  if (Array.isArray(value)) return value.map(describeValue).join(', ');
  return typeof value === 'string' ? `“${value}”` : String(value);
}
