import { valueInWords, type FieldChange, type Names } from '../../engine/history/changes';
import { difference } from '../../engine/history/difference';

interface ValuesProps {
  changes: readonly FieldChange[];
  side: 'old' | 'new';
  names: Names;
}

const longText = new Set(['text', 'textarea', 'richText']);

/** One side of a change, a line a field. Within text that has both sides, the words that differ are marked. */
export function Values({ changes, side, names }: ValuesProps) {
  return (
    <dl className="history-values">
      {changes.map((change) => (
        <div key={change.field.name}>
          <dt>{change.field.label}</dt>
          <dd>
            <Value {...{ change, side, names }} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ change, side, names }: { change: FieldChange; side: 'old' | 'new'; names: Names }) {
  const { field } = change;
  const text = valueInWords(field, change[side], names);
  if (text === '') return <span className="history-nothing">Nothing</span>;
  const other = valueInWords(field, change[side === 'old' ? 'new' : 'old'], names);
  if (!longText.has(field.type) || other === '') return text;
  const Mark = side === 'old' ? 'del' : 'ins';
  const [old, fresh] = side === 'old' ? [text, other] : [other, text];
  return difference(old, fresh)
    .filter((run) => run.side === 'both' || run.side === side)
    .map((run, index) => (run.side === 'both' ? run.text : <Mark key={index}>{run.text}</Mark>));
}
