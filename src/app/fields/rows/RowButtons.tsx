import Button from '@mui/material/Button';
import { useState } from 'react';
import type { Field, FieldOf, ResourceRecord } from '../../../engine/definitions/definition';
import { canBeShared } from '../../../engine/forms/row-edits';
import { Icon } from '../../icons/Icon';
import type { InputProps } from '../fieldType';
import { FieldInput } from '../inputs';
import { isOpenList } from './rowKeys';
import type { InsertedRecords } from './useInsertedRecords';
import type { RowCommands } from './useRowCommands';
import * as styles from './rows.module.css';

interface RowButtonsProps extends Pick<InputProps, 'columnChoices'> {
  /** The id of the grid. */
  id: string;
  field: FieldOf<'rows'>;
  rows: readonly ResourceRecord[];
  insertedRecords: InsertedRecords | undefined;
  commands: RowCommands;
}

/** The buttons below the rows, and the search for a record to insert. */
export function RowButtons({ id, field, rows, columnChoices, insertedRecords, commands }: RowButtonsProps) {
  const [isInserting, setInserting] = useState(false);
  const { chosenRows, isFull } = commands;
  const recordColumn = field.insertedRows && field.columns[field.insertedRows.by];
  return (
    <>
      <div className={styles.rowButtons}>
        <Button
          variant="outlined"
          size="small"
          disabled={isFull}
          onClick={() => commands.add()}
          startIcon={<Icon name="plus" size={14} />}
        >
          Add row
        </Button>
        {recordColumn && insertedRecords?.mayOpen && (
          <Button
            variant="outlined"
            size="small"
            disabled={isFull}
            aria-expanded={isInserting}
            onClick={() => setInserting(!isInserting)}
            startIcon={<Icon name="layers" size={14} />}
          >
            Insert {recordColumn.label.toLowerCase()}
          </Button>
        )}
        {recordColumn && insertedRecords?.mayCreate && canBeShared(field, rows, chosenRows) && (
          <Button variant="outlined" size="small" onClick={commands.share} startIcon={<Icon name="layers" size={14} />}>
            Make {recordColumn.label.toLowerCase()}
          </Button>
        )}
        {chosenRows.size > 0 && (
          <Button variant="text" size="small" color="error" onClick={() => commands.remove(chosenRows)}>
            {chosenRows.size === 1 ? 'Remove the chosen row' : `Remove the ${chosenRows.size} chosen rows`}
          </Button>
        )}
        <span className={styles.rowHints} aria-hidden="true">
          <kbd>Alt ↑</kbd> <kbd>Alt ↓</kbd> move <kbd>Tab</kbd> next cell <kbd>Ctrl D</kbd> copy
        </span>
      </div>
      {isInserting && recordColumn && (
        <RecordSearch
          id={`${id}-insert`}
          field={recordColumn}
          choices={columnChoices?.(recordColumn)}
          onPick={(recordId) => {
            setInserting(false);
            if (recordId !== undefined && recordId !== null) void commands.insert(recordId);
          }}
          onClose={() => setInserting(false)}
        />
      )}
    </>
  );
}

interface RecordSearchProps extends Pick<InputProps, 'choices'> {
  id: string;
  field: Field;
  onPick: (recordId: unknown) => void;
  onClose: () => void;
}

/** Searches the record whose rows are inserted. */
function RecordSearch({ id, field, choices, onPick, onClose }: RecordSearchProps) {
  return (
    <div
      className={styles.rowInsertion}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !isOpenList(event.target as Element)) onClose();
      }}
    >
      <label className="unseen" id={`${id}-label`} htmlFor={id}>
        {field.label}
      </label>
      <FieldInput
        id={id}
        field={field}
        value={undefined}
        onChange={onPick}
        choices={choices}
        placeholder={`Search ${field.label.toLowerCase()}`}
        size="small"
        autoFocus
      />
    </div>
  );
}
