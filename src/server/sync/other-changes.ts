import { joinPointer } from '../../engine/definitions/problems';
import type { Source } from '../../engine/definitions/source';
import { diffDefinitions, type DefinitionChange } from '../../engine/studio/diff-definitions';
import type { PlanStep } from '../../engine/studio/module';
import type { RuleStep } from './rule-steps';
import type { Step } from './step';

/** Describes changes that affect neither tables nor rules. */
export function describeOtherChanges(
  { before, after }: { before?: Source; after?: Source },
  steps: readonly Step[],
  rules: readonly RuleStep[],
): PlanStep[] {
  if (!after) {
    const text = before ? `${before.labels.many} are no longer used. Their table and records are kept.` : '';
    return before ? [wordsStep(text)] : [];
  }
  const coveredPaths = new Set(rules.map(({ path }) => path));
  for (const step of steps.filter(({ resource }) => resource === after.name))
    for (const path of pathsCoveredBy(step)) coveredPaths.add(path);
  const changes = diffDefinitions(before, after).filter((change) => !coveredPaths.has(changeKey(change)));
  return changes.map((change) => wordsStep(describeChange(change, after)));
}

/** The paths that a table step already covers. */
function pathsCoveredBy({ kind, columns }: Step): string[] {
  const fields = columns.map((name) => joinPointer('/fields', name));
  if (kind === 'createTable' || kind === 'addColumn') return fields.map((path) => `added ${path}`);
  if (kind === 'renameColumn') return fields.map((path) => `renamed ${path}`);
  // A field that is removed and purged leaves nothing behind.
  if (kind === 'dropColumn' || kind === 'dropTable') return fields;
  if (kind === 'changeType') return fields.map((path) => joinPointer(path, 'type'));
  return [];
}

function changeKey({ kind, path, text }: DefinitionChange): string {
  if (kind === 'added') return `added ${path}`;
  return text.startsWith('renamed from') ? `renamed ${path}` : path;
}

function describeChange({ kind, path, subject, text }: DefinitionChange, after: Source): string {
  const isField = /^\/fields\/[^/]+$/.test(path);
  const name = isField ? (Object.hasOwn(after.fields, subject) && after.fields[subject]?.label) || subject : subject;
  const about = isField ? `Field ${name}` : name[0]!.toUpperCase() + name.slice(1);
  if (kind === 'removed' && isField) return `${about} is removed; its stored values are kept.`;
  if (text === '') return `${about} ${kind}.`;
  return kind === 'changed' ? `${about}: ${text}.` : `${about} ${kind}: ${text}.`;
}

function wordsStep(text: string): PlanStep {
  return { kind: 'words', text, sql: '', destructive: false, rows: 0 };
}
