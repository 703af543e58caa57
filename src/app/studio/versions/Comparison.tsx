import { useState, type CSSProperties } from 'react';
import { foldEqualRows, type DiffFold, type DiffLine, type DiffRow } from '../../../engine/studio/diff-lines';
import { firstOf } from '../../../engine/values/lookups';
import { CodeLine } from './CodeLine';
import { groupNumbers } from './groups';
import * as styles from './versions.module.css';

interface ComparisonProps {
  rows: readonly DiffRow[];
  /** Accessible name with both titles. */
  label: string;
  /** The current difference, from 0; -1: none yet. */
  position: number;
}

/** Two texts side by side, line by line; long runs of equal lines are folded until they are clicked. */
export function Comparison({ rows, label, position }: ComparisonProps) {
  const [open, setOpen] = useState<ReadonlySet<DiffRow>>(new Set());
  const groups = groupNumbers(rows);
  const parts = foldEqualRows(rows).flatMap((part): (DiffRow | DiffFold)[] =>
    isFold(part) && open.has(firstOf(part.rows)) ? [...part.rows] : [part],
  );
  return (
    <div className={styles.compareRows} role="table" aria-label={label}>
      {parts.map((part) =>
        isFold(part) ? (
          <div key={`fold ${keyOf(firstOf(part.rows))}`} role="row" className={styles.compareFold}>
            <span role="cell" aria-colspan={2}>
              <button type="button" onClick={() => setOpen(new Set([...open, firstOf(part.rows)]))}>
                <span>
                  <i aria-hidden="true">…</i>
                  {part.rows.length} equal lines
                </span>
                <span aria-hidden="true">
                  <i>…</i>
                  {part.rows.length} equal lines
                </span>
              </button>
            </span>
          </div>
        ) : (
          <div
            key={keyOf(part)}
            role="row"
            className={styles.compareRow}
            data-kind={part.kind}
            data-group={groups.get(part)}
            data-at={groups.get(part) === position || undefined}
          >
            <Cell line={part.left} sign={part.kind === 'same' ? '' : '−'} />
            <Cell line={part.right} sign={part.kind === 'same' ? '' : '+'} />
          </div>
        ),
      )}
    </div>
  );
}

function Cell({ line, sign }: { line: DiffLine | null; sign: string }) {
  if (!line) return <span role="cell" className={styles.compareCell} data-empty />;
  return (
    <span role="cell" className={styles.compareCell} data-sign={sign || undefined}>
      <i className="num">
        {sign && `${sign} `}
        {line.number}
      </i>
      <code style={{ '--indent': `${indentOf(line.text)}ch` } as CSSProperties}>
        <CodeLine text={line.text} />
      </code>
    </span>
  );
}

/** The indent of a wrapped line: two characters more than its own. */
const indentOf = (text: string) => text.search(/\S|$/) + 2;
const isFold = (part: DiffRow | DiffFold): part is DiffFold => part.kind === 'fold';
const keyOf = ({ left, right }: DiffRow) => `${left?.number ?? ''}|${right?.number ?? ''}`;
