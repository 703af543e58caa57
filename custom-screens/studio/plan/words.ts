import { formatNumber } from '../../../src/engine/formats/numbers';
import type { Tone } from '../../../src/engine/definitions/definition';
import type { PlanStep } from '../../../src/engine/studio/module';

/** A step's kind as its chip says it. */
export function kindOf({ kind, destructive }: PlanStep): { label: string; tone: Tone } {
  if (destructive) return { label: 'Destroy', tone: 'urgent' };
  if (kind === 'rule') return { label: 'Rule', tone: 'high' };
  if (/^(add|create)/.test(kind)) return { label: 'Add', tone: 'low' };
  return { label: 'Change', tone: 'medium' };
}

/** What a step does to what is stored. */
export function effectOf({ kind, destructive, rows }: PlanStep): string {
  const some = (one: string, many: string) => (rows === 1 ? `1 ${one}` : `${formatNumber(rows)} ${many}`);
  if (destructive) return rows === 1 ? '1 value is lost' : `${some('', 'values')} are lost`;
  if (kind === 'rule') return rows === 0 ? 'Every record keeps it' : `${some('record breaks it', 'records break it')}`;
  if (kind === 'addColumn') return rows === 0 ? 'No rows yet' : `${some('row gets', 'rows get')} null`;
  if (kind === 'createTable') return 'An empty table';
  if (kind === 'createIndex' || kind === 'storeSearch') return 'Stays fast';
  if (kind === 'words') return 'Shows at once';
  return rows === 0 ? 'No rows are touched' : `${some('value', 'values')} kept exactly`;
}

/** A statement as people read it: without the schema, and names without quotes where they need none. */
export function tidied(sql: string): string {
  return sql
    .replaceAll('public.', '')
    .replace(/"([a-z_][a-z0-9_]*)"/g, '$1')
    .replace(/\s*;\s*/g, '; ')
    .trim();
}

/** The steps, what is lost first. */
export function ordered(steps: readonly PlanStep[]): PlanStep[] {
  const rank = ({ kind, destructive }: PlanStep) => (destructive ? 0 : kind === 'rule' ? 1 : 2);
  return steps.toSorted((one, other) => rank(one) - rank(other));
}
