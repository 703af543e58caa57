import { useState, type CSSProperties } from 'react';
import { foldEqualRows, type DiffFold, type DiffLine, type DiffRow } from '../../../engine/studio/diff-lines';
import { firstOf, itemAt } from '../../../engine/values/lookups';
import { CodeLine } from './CodeLine';
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

/** The number (from 0) of each differing row's group; consecutive differing rows are one group. */
export function groupNumbers(rows: readonly DiffRow[]): Map<DiffRow, number> {
  const groups = new Map<DiffRow, number>();
  let number = -1;
  rows.forEach((row, index) => {
    if (row.kind === 'same') return;
    if (index === 0 || itemAt(rows, index - 1).kind === 'same') number++;
    groups.set(row, number);
  });
  return groups;
}

/** The number of groups of differing rows. */
export function countGroups(rows: readonly DiffRow[]): number {
  return new Set(groupNumbers(rows).values()).size;
}
