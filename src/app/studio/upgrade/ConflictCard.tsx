import Box from '@mui/material/Box';
import Radio from '@mui/material/Radio';
import { useId } from 'react';
import { formatJson } from '../../../engine/studio/format-source';
import type { Conflict, Upgrade } from '../../../engine/studio/module';
import { CodeLine } from '../versions/CodeLine';
import { pathText, conflictTexts } from './conflictTexts';
import * as styles from './upgrade.module.css';

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
