import type { Condition } from '../definitions/definition';
import { isVariable, type Comparison, type Predicate } from './grammar';
import { predicateOf } from './evaluate';

const signs: Readonly<Record<Comparison, string>> = {
  $eq: '=',
  $ne: '≠',
  $gt: '>',
  $gte: '≥',
  $lt: '<',
  $lte: '≤',
  $in: 'in',
  $nin: 'not in',
  $contains: 'contains',
};

const variables: Readonly<Record<string, string>> = {
  '$actor.id': 'me',
  '$actor.level': 'my level',
  '$actor.role_id': 'my role',
  '$actor.site_id': 'my company',
  '$actor.lists': 'modules I can list',
  $today: 'today',
  $now: 'now',
};

/**
 * A condition as readable text: `created_by = me`, `project_id.user_ids = me`. Empty for a condition that always
 * matches.
 */
export function conditionText(condition: Condition): string {
  return textOf(predicateOf(condition), '', false);
}

function textOf(predicate: Predicate, path: string, inner: boolean): string {
  switch (predicate.kind) {
    case 'all':
    case 'any': {
      const parts = predicate.of.map((one) => textOf(one, path, predicate.of.length > 1));
      const text = parts.join(predicate.kind === 'all' ? ' and ' : ' or ');
      return inner && parts.length > 1 ? `(${text})` : text;
    }
    case 'not':
      return `not ${textOf(predicate.of, path, true)}`;
    case 'some': {
      const there = `${path}${predicate.field}`;
      const about = predicate.of;
      return about.kind === 'all' && about.of.length === 0 ? `has ${there}` : textOf(about, `${there}.`, inner);
    }
    case 'compare': {
      const left = isVariable(predicate.left) ? valueText(predicate.left) : `${path}${predicate.left}`;
      if (predicate.right === null && predicate.operator === '$eq') return `${left} is empty`;
      if (predicate.right === null && predicate.operator === '$ne') return `${left} is set`;
      return `${left} ${signs[predicate.operator]} ${valueText(predicate.right)}`;
    }
  }
}

function valueText(value: unknown): string {
  if (isVariable(value)) return variables[value] ?? value.slice(1).replace('.', ' ').replaceAll('_', ' ');
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'string' ? `“${value}”` : String(value);
}
