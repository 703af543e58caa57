import type { Condition } from '../../../src/engine/definitions/definition';

export type Operator = '$eq' | '$ne' | '$gt' | '$gte' | '$lt' | '$lte' | '$in' | '$nin' | '$contains' | '$exists';

export interface Clause {
  readonly left: string;
  readonly operator: Operator;
  readonly value: unknown;
}

export interface Built {
  readonly join: 'all' | 'any';
  readonly clauses: readonly Clause[];
}

export function readBuilt(condition: unknown): Built | null {
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) return null;
  const entries = Object.entries(condition as Condition);
  const clauses: Clause[] = [];
  for (const [left, value] of entries) {
    if (/^\$(and|or|nor|not)$/.test(left)) return null;
    if (Array.isArray(value)) clauses.push({ left, operator: '$in', value });
    else if (typeof value !== 'object' || value === null) clauses.push({ left, operator: '$eq', value });
    else
      for (const [operator, right] of Object.entries(value)) {
        if (operator === '$some' || operator === '$not') return null;
        clauses.push({ left, operator: operator as Operator, value: right });
      }
  }
  return { join: 'all', clauses };
}

export function writeBuilt({ clauses }: Built): Condition {
  const out: Record<string, unknown> = {};
  for (const { left, operator, value } of clauses) {
    const plain = operator === '$eq';
    const old = out[left];
    out[left] = old === undefined && plain ? value : { ...(typeof old === 'object' ? old : {}), [operator]: value };
  }
  return out;
}

export function operatorsFor(type: string): { value: Operator; label: string }[] {
  const set = [
    { value: '$in' as const, label: 'is one of' },
    { value: '$nin' as const, label: 'is none of' },
    { value: '$exists' as const, label: 'has a value' },
  ];
  if (type === 'relation' || type === 'select') return set;
  if (type === 'boolean') return [{ value: '$eq', label: 'is' }];
  return [
    { value: '$eq', label: 'is' },
    { value: '$ne', label: 'is not' },
    { value: '$lt', label: 'is less than' },
    { value: '$gt', label: 'is more than' },
    { value: '$contains', label: 'contains' },
    { value: '$exists', label: 'has a value' },
  ];
}
