import { diffDefinitions, type DefinitionChange } from '../../../engine/studio/diff-definitions';
import { resolveConflicts } from '../../../engine/studio/merge';
import type { Conflict, Upgrade } from '../../../engine/studio/module';

/** A path for display: `/fields/milestone/label` → `milestone › label`. */
export function pathText(path: string): string {
  const steps = path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return (steps[0] === 'fields' && steps.length > 1 ? steps.slice(1) : steps).join(' › ') || 'The whole definition';
}

/** The changes of each side at a place, in words; empty if the change cannot be described. */
export function conflictTexts(upgrade: Upgrade, conflict: Conflict): { shippedText: string; changedText: string } {
  const resolveWith = (value: unknown) =>
    resolveConflicts(
      { merged: upgrade.merged, shipped: upgrade.shipped, conflicts: [{ ...conflict, shipped: value }] },
      { [conflict.path]: 'shipped' },
    );
  const baseSource = resolveWith(conflict.base);
  const describeSide = (value: unknown) =>
    diffDefinitions(baseSource, resolveWith(value)).map(describeChange).join('; ');
  return { shippedText: describeSide(conflict.shipped), changedText: describeSide(conflict.changed) };
}

function describeChange({ kind, subject, text }: DefinitionChange): string {
  return text ? `${subject}: ${text}` : `${subject} ${kind}`;
}
