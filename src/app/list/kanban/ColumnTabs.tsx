import { formatTotal } from '../../../engine/formats/numbers';
import type { Definition } from '../../../engine/definitions/definition';
import { ChipMark, ToneChip } from '../../chips/RecordChip';
import type { ShownColumn } from './withMoves';
import * as styles from './kanban.module.css';

interface ColumnTabsProps {
  columns: readonly ShownColumn[];
  target: Definition | undefined;
  /** The index of the visible column. */
  current: number;
  onChoose: (index: number) => void;
}

/** The columns of a board on a phone as tabs with counts; the visible one also with its name. */
export function ColumnTabs({ columns, target, current, onChoose }: ColumnTabsProps) {
  return (
    <div className={styles.boardTabs} role="group" aria-label="Columns">
      {columns.map(({ choice, total }, index) => (
        <button
          key={String(choice.id)}
          type="button"
          aria-pressed={index === current}
          aria-label={`${choice.title}, ${total === undefined ? '…' : formatTotal(total)}`}
          onClick={() => onChoose(index)}
        >
          {choice.tone ? (
            <ToneChip tone={choice.tone}>{index === current && choice.title}</ToneChip>
          ) : (
            <>
              <ChipMark definition={target} record={{ ...choice }} />
              {index === current && <span>{choice.title}</span>}
            </>
          )}
          <span className="num">{total !== undefined && formatTotal(total)}</span>
        </button>
      ))}
    </div>
  );
}
