import { GridRow, type GridRowId, type GridSlotProps } from '@mui/x-data-grid';
import { RecordContextProvider } from 'react-admin';
import { cloneElement, type InputHTMLAttributes, type ReactElement, type Ref } from 'react';
import { BoxMark } from '../../theme/marks';
import * as styles from './grid.module.css';

/** The checkbox of a row or of all rows: one element where MUI has six, because every row has one. */
export function GridCheckbox(props: GridSlotProps['baseCheckbox']) {
  const { checked, indeterminate = false, disabled, onChange, tabIndex, slotProps, className } = props;
  const { onClick, onMouseDown, onKeyDown, ref } = props as BoxEvents;
  return (
    <span ref={ref} className={`${styles.gridCheck} ${className ?? ''}`} {...{ onClick, onMouseDown, onKeyDown }}>
      <input
        ref={(input) => {
          if (input) input.indeterminate = indeterminate;
        }}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        tabIndex={tabIndex}
        onChange={onChange}
        {...(slotProps?.htmlInput as InputHTMLAttributes<HTMLInputElement>)}
      />
      <BoxMark state={indeterminate ? 'some' : checked ? 'on' : 'off'} />
    </span>
  );
}

/** The checkbox of a row, named after its record: in a list of checkboxes no two sound alike. */
export function RowCheckbox({ rowId, nameOf, ...props }: GridSlotProps['rowCheckbox'] & RowNames) {
  const htmlInput = { ...props.slotProps?.htmlInput, 'aria-label': `Select ${nameOf(rowId)}` };
  return <GridCheckbox {...props} slotProps={{ htmlInput }} />;
}

/** A row with its record as react-admin's context; headings of groups and totals are no records. */
export function RecordRow(props: GridSlotProps['row']) {
  const { row, rowId } = props;
  return (
    <RecordContextProvider value={typeof rowId === 'number' ? row : undefined}>
      <GridRow {...props} />
    </RecordContextProvider>
  );
}

export interface RowNames {
  /** The title of the record with this id. */
  nameOf: (id: GridRowId) => string;
}

interface BoxEvents extends Pick<InputHTMLAttributes<HTMLSpanElement>, 'onClick' | 'onMouseDown' | 'onKeyDown'> {
  ref?: Ref<HTMLSpanElement>;
}

/** The tooltip of a header's parts: the browser's own, because every header has three. */
export function GridHint({ title, children }: GridSlotProps['baseTooltip']) {
  const child = children as ReactElement<{ title?: string }>;
  return typeof title === 'string' && title !== '' ? cloneElement(child, { title }) : child;
}
