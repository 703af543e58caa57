import { formatNumber } from '../../../engine/formats/numbers';
import type { Tone } from '../../../engine/definitions/definition';
import type { PlanStep } from '../../../engine/studio/module';

/** The label and colour of a step's chip. */
export function stepChip({ kind, destructive, keeps: keptColumn, forbidden }: PlanStep): { label: string; tone: Tone } {
  if (forbidden) return { label: 'Not possible', tone: 'urgent' };
  if (destructive && keptColumn === undefined) return { label: 'Destroy', tone: 'urgent' };
  if (kind === 'rule') return { label: 'Rule', tone: 'high' };
  if (/^(add|create)/.test(kind)) return { label: 'Add', tone: 'low' };
  return { label: 'Change', tone: 'medium' };
}

/** The effect of a step on stored data. */
export function stepEffect({ kind, destructive, keeps: keptColumn, forbidden, uncounted, rows }: PlanStep): string {
  const countText = (singular: string, plural: string) =>
    rows === 1 ? `1 ${singular}` : `${formatNumber(rows)} ${plural}`;
  if (forbidden) return countText('record violates it', 'records violate it');
  if (keptColumn !== undefined) {
    if (uncounted) return `What does not fit could not be counted; it stays in ${keptColumn}`;
    if (rows === 0) return `Every value fits; as it was it stays in ${keptColumn}`;
    return `${countText('value does not fit, and stays', 'values do not fit, and stay')} in ${keptColumn}`;
  }
  if (destructive) return rows === 1 ? '1 value is lost' : `${countText('', 'values')} are lost`;
  if (kind === 'rule')
    return rows === 0 ? 'No record breaks it' : `${countText('record breaks it', 'records break it')}`;
  if (kind === 'addColumn') return rows === 0 ? 'No rows yet' : `${countText('row gets', 'rows get')} null`;
  if (kind === 'createTable') return 'An empty table';
  if (kind === 'createIndex' || kind === 'storeSearch') return 'Keeps it fast';
  if (kind === 'numberRows') return countText('row gets a key', 'rows get keys');
  if (kind === 'pinRows') return countText('row remembers it', 'rows remember it');
  if (kind === 'renameValues') return countText('row gets the new value', 'rows get the new value');
  if (kind === 'words') return 'Takes effect at once';
  return rows === 0 ? 'No rows are touched' : `${countText('value', 'values')} kept exactly`;
}

/** A statement for display: without the schema, and without quotes around plain names. */
export function formatSql(sql: string): string {
  return sql
    .replaceAll('public.', '')
    .replace(/"([a-z_][a-z0-9_]*)"/g, '$1')
    .replace(/\s*;\s*/g, '; ')
    .trim();
}

/** The steps, destructive ones first, then rules. */
export function sortSteps(steps: readonly PlanStep[]): PlanStep[] {
  const rank = ({ kind, destructive }: PlanStep) => (destructive ? 0 : kind === 'rule' ? 1 : 2);
  return steps.toSorted((first, second) => rank(first) - rank(second));
}
