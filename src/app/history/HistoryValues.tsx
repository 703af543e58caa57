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
  const [showsAll, setShowsAll] = useState(false);
  const hasValues = changes.some((change) => describeHistoryValue(change, side) !== '');
  // An added record had no old values: don't list each as empty.
  if (!hasValues && changes.length > 1) return null;
  const visibleChanges = showsAll || changes.length <= maxShown + 1 ? changes : changes.slice(0, maxShown);
  return (
    <div className={styles.historySide}>
      <dl className={styles.historyValues}>
        {visibleChanges.map((change) => (
          <div key={change.field.name}>
            <dt>{change.field.label}</dt>
            <dd>
              <Value {...{ change, side }} />
            </dd>
          </div>
        ))}
      </dl>
      {visibleChanges.length < changes.length && (
        <Button variant="text" className={styles.historyMore} onClick={() => setShowsAll(true)}>
          {formatNumber(changes.length - visibleChanges.length)} more
        </Button>
      )}
    </div>
  );
}

function Value({ change, side }: { change: FieldChange; side: 'old' | 'new' }) {
  const { field } = change;
  const text = describeHistoryValue(change, side);
  if (text === '') return <span className={styles.historyNothing}>Nothing</span>;
  const otherText = describeHistoryValue(change, side === 'old' ? 'new' : 'old');
  if (!displayOf(field).hasWordChanges || otherText === '') return text;
  const Mark = side === 'old' ? 'del' : 'ins';
  const [oldText, newText] = side === 'old' ? [text, otherText] : [otherText, text];
  return diffTexts(oldText, newText)
    .filter((run) => run.side === 'both' || run.side === side)
    .map((run, index) => (run.side === 'both' ? run.text : <Mark key={index}>{run.text}</Mark>));
}
