import Button from '@mui/material/Button';
import { useState } from 'react';
import { formatNumber } from '../../engine/formats/numbers';
import { describeHistoryValue, type FieldChange } from '../../engine/history/field-changes';
import { diffTexts } from '../../engine/history/diff-texts';
import { displayOf } from '../fields/displays';
import * as styles from './history.module.css';

interface HistoryValuesProps {
  changes: readonly FieldChange[];
  side: 'old' | 'new';
}

/** Fields shown at first; the rest on request. */
const maxShown = 5;

/** One side of a change, one line per field. In text with both sides, differing words are marked. */
export function HistoryValues({ changes, side }: HistoryValuesProps) {
  const [all, setAll] = useState(false);
  const there = changes.some((change) => describeHistoryValue(change, side) !== '');
  // An added record had no old values: don't list each as empty.
  if (!there && changes.length > 1) return null;
  const shown = all || changes.length <= maxShown + 1 ? changes : changes.slice(0, maxShown);
  return (
    <div className={styles.historySide}>
      <dl className={styles.historyValues}>
        {shown.map((change) => (
          <div key={change.field.name}>
            <dt>{change.field.label}</dt>
            <dd>
              <Value {...{ change, side }} />
            </dd>
          </div>
        ))}
      </dl>
      {shown.length < changes.length && (
        <Button variant="text" className={styles.historyMore} onClick={() => setAll(true)}>
          {formatNumber(changes.length - shown.length)} more
        </Button>
      )}
    </div>
  );
}

function Value({ change, side }: { change: FieldChange; side: 'old' | 'new' }) {
  const { field } = change;
  const text = describeHistoryValue(change, side);
  if (text === '') return <span className={styles.historyNothing}>Nothing</span>;
  const other = describeHistoryValue(change, side === 'old' ? 'new' : 'old');
  if (!displayOf(field).hasWordChanges || other === '') return text;
  const Mark = side === 'old' ? 'del' : 'ins';
  const [old, fresh] = side === 'old' ? [text, other] : [other, text];
  return diffTexts(old, fresh)
    .filter((run) => run.side === 'both' || run.side === side)
    .map((run, index) => (run.side === 'both' ? run.text : <Mark key={index}>{run.text}</Mark>));
}
