import Box from '@mui/material/Box';
import Radio from '@mui/material/Radio';
import { useId } from 'react';
import { formatJson } from '../../../engine/studio/format-source';
import type { Conflict, Upgrade } from '../../../engine/studio/module';
import { CodeLine } from '../versions/CodeLine';
import * as styles from './upgrade.module.css';
import { diffDefinitions, type DefinitionChange } from '../../../engine/studio/diff-definitions';
import { resolveConflicts } from '../../../engine/studio/merge';

interface ConflictCardProps {
  upgrade: Upgrade;
  conflict: Conflict;
  side: 'shipped' | 'changed' | undefined;
  onChoose: (side: 'shipped' | 'changed') => void;
}

/** A conflict: the value before, and the two changed values to choose from, in words and as JSON. */
export function ConflictCard({ upgrade, conflict, side: chosenSide, onChoose }: ConflictCardProps) {
  const id = useId();
  const words = conflictTexts(upgrade, conflict);
  const sides = [
    { side: 'shipped', label: 'Newly shipped', value: conflict.shipped, words: words.shippedText },
    { side: 'changed', label: 'Changed here', value: conflict.changed, words: words.changedText },
  ] as const;
  return (
    <fieldset className={styles.conflict} aria-labelledby={id}>
      <h3 id={id}>{pathText(conflict.path)}</h3>
      <div className={styles.conflictSides}>
        <div>
          <span className={styles.conflictName}>Before</span>
          <Value value={conflict.base} />
        </div>
        {sides.map(({ side, label, value, words: text }) => (
          <label key={side} data-chosen={chosenSide === side || undefined}>
            <span className={styles.conflictName}>
              <Radio size="small" name={id} checked={chosenSide === side} onChange={() => onChoose(side)} />
              {label}
            </span>
            {text && <span>{text}</span>}
            <Value value={value} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Value({ value }: { value: unknown }) {
  if (value === undefined)
    return (
      <Box component="span" sx={{ color: 'var(--t3)' }}>
        Not set
      </Box>
    );
  return (
    <pre>
      {formatJson(value)
        .split('\n')
        .map((line, index) => (
          <span key={index}>
            <CodeLine text={line} />
            {'\n'}
          </span>
        ))}
    </pre>
  );
}

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
