import Checkbox from '@mui/material/Checkbox';
import IconButton from '@mui/material/IconButton';
import type { DragEvent } from 'react';
import type { Field, FieldOf, ResourceRecord } from '../../../engine/definitions/definition';
import { insertsRecord } from '../../../engine/field-types/rows';
import { isMarkdown } from '../../../engine/formats/markdown';
import { Icon } from '../../icons/Icon';
import type { PicturesOfRecord } from '../markdown/recordPictures';
import type { InputProps } from '../fieldType';
import { FieldInput } from '../inputs';
import { CellText } from './CellText';
import { InsertedRow } from './InsertedRow';
import { isList } from './rowKeys';
import type { InsertedRecords } from './useInsertedRecords';
import type { RowCommands } from './useRowCommands';
import * as styles from './rows.module.css';

interface RowLineProps extends Pick<InputProps, 'columnChoices' | 'cellErrors' | 'onPending' | 'onProblem'> {
  /** The id of the grid. */
  id: string;
  field: FieldOf<'rows'>;
  /** The columns with inputs. */
  columns: readonly Field[];
  /** All columns of the grid, the computed ones among them. */
  gridColumns: readonly Field[];
  row: ResourceRecord;
  index: number;
  /** The number of the first row that it stands for. */
  number: number;
  computedRow: ResourceRecord | undefined;
  readOnly: boolean;
  pictures: PicturesOfRecord | undefined;
  insertedRecords: InsertedRecords | undefined;
  commands: RowCommands;
  /** The index of the row that is dragged. */
  draggedRow: number | null;
  onDragRow: (index: number | null) => void;
}

/** A row of the grid: its tools, and its cells or the line of the record that it inserts. */
export function RowLine(props: RowLineProps) {
  const { field, columns, gridColumns, row, index, number, readOnly, insertedRecords, commands, draggedRow } = props;
  const recordColumn = insertsRecord(field, row) ? field.columns[field.insertedRows?.by ?? ''] : undefined;
  const shownNumber = recordColumn ? '' : number;
  const recordId = recordColumn && row[recordColumn.name];
  const tools = { 'data-place': `${index} -1`, onFocus: () => commands.activate(null) };
  return (
    <tr
      data-chosen={commands.chosenRows.has(index) || undefined}
      data-dragged={draggedRow === index || undefined}
      onDragOver={(event) => draggedRow !== null && event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        if (draggedRow !== null) commands.move(draggedRow, index);
        props.onDragRow(null);
      }}
    >
      {!readOnly && (
        <td className={styles.rowTools} {...tools}>
          <RowHandle {...{ index, commands }} number={shownNumber} onDragRow={props.onDragRow} />
        </td>
      )}
      {readOnly && field.insertedRows && <td className={`${styles.rowNumber} num`}>{shownNumber}</td>}
      {recordColumn ? (
        <td colSpan={gridColumns.length + (readOnly ? 0 : 1)} className={styles.insertedCell} {...tools}>
          <InsertedRow
            {...{ field, columns, row, index, number, readOnly }}
            {...(props.columnChoices && { columnChoices: props.columnChoices })}
            choices={props.columnChoices?.(recordColumn)}
            error={props.cellErrors?.[`[${index}].${recordColumn.name}`]}
            usage={insertedRecords?.usedIn(recordId)}
            path={insertedRecords?.mayOpen ? `/${insertedRecords.definition.name}/${String(recordId)}` : undefined}
            onDetach={() => commands.detach(index)}
            onRemove={() => commands.remove(new Set([index]))}
          />
        </td>
      ) : (
        gridColumns.map((column) => <RowCell key={column.name} {...props} column={column} />)
      )}
      {!readOnly && !recordColumn && (
        <td className={styles.rowEnd} {...tools}>
          <span>
            <IconButton
              size="small"
              data-copy={index}
              tabIndex={-1}
              disabled={commands.isFull}
              aria-label={`Copy row ${index + 1}`}
              title="Copy row (Ctrl D)"
              onClick={() => commands.copy(index)}
            >
              <Icon name="copy" size={16} />
            </IconButton>
            <IconButton
              size="small"
              tabIndex={-1}
              aria-label={`Remove row ${index + 1}`}
              title="Remove row"
              onClick={() => commands.remove(new Set([index]))}
            >
              <Icon name="trash" size={16} />
            </IconButton>
          </span>
        </td>
      )}
    </tr>
  );
}

interface RowHandleProps extends Pick<RowLineProps, 'index' | 'commands' | 'onDragRow'> {
  number: number | '';
}

/** The grip of a row, and its number with the checkbox that chooses it. */
function RowHandle({ index, number, commands, onDragRow }: RowHandleProps) {
  const startDrag = ({ dataTransfer }: DragEvent) => {
    dataTransfer.effectAllowed = 'move';
    dataTransfer.setData('text/plain', String(index));
    onDragRow(index);
  };
  return (
    <span>
      <IconButton
        size="small"
        data-grip={index}
        tabIndex={-1}
        className={styles.rowHandle}
        draggable
        aria-label={`Move row ${index + 1}`}
        title="Drag, or Alt with an arrow"
        onDragStart={startDrag}
        onDragEnd={() => onDragRow(null)}
      >
        <Icon name="grip" size={14} />
      </IconButton>
      <span className={styles.rowChoose}>
        <span className={`${styles.rowPlace} num`} aria-hidden="true">
          {number}
        </span>
        <Checkbox
          size="small"
          className={styles.rowChoice}
          checked={commands.chosenRows.has(index)}
          slotProps={{ input: { 'aria-label': `Choose row ${index + 1}`, tabIndex: -1 } }}
          onChange={(_, isChosen) => commands.choose(index, isChosen)}
        />
      </span>
    </span>
  );
}

/** A cell with what its column computes, or with its value. */
function RowCell({ column, ...props }: RowLineProps & { column: Field }) {
  const { id, columns, row, index, readOnly, pictures, columnChoices, commands } = props;
  const columnIndex = columns.indexOf(column);
  const name = `${column.label}, row ${index + 1}`;
  if (columnIndex < 0)
    return (
      <td data-label={column.label} className="num">
        <output className={styles.cellShown} aria-label={name}>
          <CellText column={column} row={row} value={props.computedRow?.[column.name]} choices={undefined} />
        </output>
      </td>
    );
  const messageOf = (message: string | undefined) => message && `Row ${index + 1}, ${column.label}: ${message}`;
  return (
    <td
      data-label={column.label}
      data-place={`${index} ${columnIndex}`}
      data-picture={pictures?.add && isMarkdown(column) ? '' : undefined}
    >
      <Cell
        {...{ id, column, readOnly, row, pictures, name }}
        value={row[column.name]}
        error={props.cellErrors?.[`[${index}].${column.name}`]}
        choices={columnChoices?.(column)}
        isActive={commands.active?.row === index && commands.active.column === columnIndex}
        onFocus={() => commands.activate({ row: index, column: columnIndex })}
        onChange={(value) => commands.setCell(index, column, value)}
        {...(isList(column) && {
          onPending: (message) => {
            commands.setUnchosen(message !== undefined);
            props.onPending?.(messageOf(message));
          },
          onProblem: (message) => props.onProblem?.(messageOf(message)),
        })}
      />
    </td>
  );
}

interface CellProps extends Pick<InputProps, 'onPending' | 'onProblem'> {
  id: string;
  column: Field;
  row: ResourceRecord;
  value: unknown;
  name: string;
  readOnly: boolean;
  error: string | undefined;
  choices: InputProps['choices'];
  pictures: PicturesOfRecord | undefined;
  isActive: boolean;
  onFocus: () => void;
  onChange: (value: unknown) => void;
}

/** A cell: its text, and its input while it has the focus. */
function Cell({ id, column, row, value, name, readOnly, error, choices, pictures, isActive, ...handlers }: CellProps) {
  const text = <CellText {...{ column, row, value, choices }} pictures={pictures?.knownPictures} inert={!readOnly} />;
  if (readOnly) return <span className={styles.cellShown}>{text}</span>;
  if (!isActive)
    return (
      <button
        type="button"
        className={styles.cellShown}
        aria-label={name}
        aria-invalid={error === undefined ? undefined : true}
        title={error}
        data-error={error === undefined ? undefined : ''}
        onFocus={handlers.onFocus}
        onClick={handlers.onFocus}
      >
        {text}
      </button>
    );
  const control = `${id}-cell`;
  // The toolbar above the rows serves all cells.
  const { markdown: _own, ...field }: Field = column;
  return (
    <>
      <label className="unseen" id={`${control}-label`} htmlFor={control}>
        {name}
      </label>
      <FieldInput
        id={control}
        field={field}
        value={value ?? undefined}
        onChange={handlers.onChange}
        {...(handlers.onPending && { onPending: handlers.onPending, onProblem: handlers.onProblem })}
        required={column.required}
        invalid={error !== undefined}
        choices={choices}
        siblingValues={row}
        size="small"
        autoFocus
      />
    </>
  );
}
