import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useMemo, useState, type KeyboardEvent } from 'react';
import type { Column } from '../../../engine/definitions/definition';
import { arrangeColumns, readableColumns, toColumnChoices, visibleColumnNames } from '../../../engine/lists/columns';
import { isSavedView } from '../../../engine/lists/list-state';
import { useDefinitions } from '../../data/DefinitionsContext';
import { reportError } from '../../data/ErrorToasts';
import { Icon } from '../../icons/Icon';
import { useColumnChoices } from '../../preferences/useColumnChoices';
import { titleFieldOf } from '../grid/useFittedColumns';
import { useResourceList } from '../ResourceList';
import { useListColumns } from '../useListColumns';
import * as styles from './display.module.css';

interface ColumnListProps {
  /** The search for a column has the focus. */
  focused: boolean;
  onClose: () => void;
}

/**
 * Chooses the columns of a list and their order: at least one, and always those fixed by the definition. A choice applies
 * at once and is stored for the user; of a saved view, and if the order changes, it is part of the list's address until
 * the view is updated.
 */
export function ColumnList({ focused, onClose }: ColumnListProps) {
  const { actor } = useDefinitions();
  const { definition, state, change } = useResourceList();
  const { choices: storedChoices, save } = useColumnChoices(definition.name);
  const { choices } = useListColumns(definition, state);
  const defined = useMemo(() => readableColumns(definition, actor), [definition, actor]);
  // Shown at once; the choice is stored meanwhile.
  const [visibleFields, setVisibleFields] = useState(() => visibleColumnNames(defined, choices));
  // Those that are hidden or shown now keep their places while the panel is open.
  const [columns, setColumns] = useState(() => arrangeColumns(defined, state.columns));
  const [find, setFind] = useState('');
  const [isLastRefused, setLastRefused] = useState(false);
  const [draggedField, setDraggedField] = useState<string | null>(null);
  const titleField = titleFieldOf(columns, definition);
  const matchingColumns = columns.filter(({ label }) => label.toLowerCase().includes(find.trim().toLowerCase()));

  const apply = (nextColumns: readonly Column[], nextFields: ReadonlySet<string>) => {
    const namesOf = (list: readonly Column[]) => list.flatMap(({ field }) => (nextFields.has(field) ? [field] : []));
    const isOrdered = namesOf(nextColumns).join() !== namesOf(defined).join();
    const hasWidths = state.columns?.some(({ width }) => width !== undefined) === true;
    if (isOrdered || hasWidths || isSavedView(state)) {
      const widths = new Map(state.columns?.map(({ field, width }) => [field, width]));
      const shownColumns = namesOf(nextColumns).map((field) => {
        const width = widths.get(field);
        return { field, ...(width !== undefined && { width }) };
      });
      return change((current) => ({ ...current, columns: shownColumns }), { replace: state.columns !== undefined });
    }
    if (state.columns) change(({ columns: _, ...rest }) => rest, { replace: true });
    save(toColumnChoices(defined, nextFields, definition, storedChoices)).catch(reportError);
  };
  const toggle = (field: string) => {
    const next = new Set(visibleFields);
    if (!next.delete(field)) next.add(field);
    setLastRefused(next.size === 0);
    if (next.size === 0) return;
    setVisibleFields(next);
    apply(columns, next);
  };
  const move = (field: string, targetIndex: number) => {
    const index = columns.findIndex((column) => column.field === field);
    if (index === targetIndex || targetIndex < 0 || targetIndex >= columns.length) return;
    const next = [...columns];
    next.splice(targetIndex, 0, ...next.splice(index, 1));
    setColumns(next);
    apply(next, visibleFields);
  };
  const reset = () => {
    setLastRefused(false);
    setColumns(defined);
    setVisibleFields(visibleColumnNames(defined, null));
    const defaultNames = visibleColumnNames(defined, null);
    if (isSavedView(state)) {
      const shownColumns = defined.flatMap(({ field }) => (defaultNames.has(field) ? [{ field }] : []));
      return change((current) => ({ ...current, columns: shownColumns }));
    }
    if (state.columns) change(({ columns: _, ...rest }) => rest);
    save(toColumnChoices(defined, defaultNames, definition, null)).catch(reportError);
  };
  /** Enter shows or hides the first column that was found; Ctrl+Enter closes. */
  const onFindKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) return onClose();
    const first = matchingColumns.find((column) => !column.fixed);
    if (first && find !== '') toggle(first.field);
  };
  const onLineKey = (event: KeyboardEvent, field: string, index: number) => {
    const offset = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    // Among those that were found, places say nothing.
    if (!event.altKey || offset === undefined || find !== '') return;
    event.preventDefault();
    move(field, index + offset);
  };
  return (
    <>
      <div className={styles.columnsHead}>
        <h3>Columns</h3>
        <Button size="small" variant="text" onClick={reset}>
          Reset
        </Button>
      </div>
      <div className={styles.find}>
        <OutlinedInput
          size="small"
          fullWidth
          autoFocus={focused}
          placeholder="Find a column"
          value={find}
          onChange={(event) => setFind(event.target.value)}
          onKeyDown={onFindKey}
          slotProps={{ input: { 'aria-label': 'Find a column' } }}
          startAdornment={
            <InputAdornment position="start">
              <Icon name="search" />
            </InputAdornment>
          }
        />
      </div>
      <div className={styles.list} role="group" aria-label="Columns">
        {matchingColumns.map(({ field, label, fixed: isFixed }, index) => (
          <div
            key={field}
            className={styles.column}
            data-dragged={draggedField === field || undefined}
            onKeyDown={(event) => onLineKey(event, field, index)}
            onDragOver={(event) => {
              if (draggedField === null) return;
              event.preventDefault();
              if (draggedField !== field) move(draggedField, index);
            }}
            onDrop={(event) => event.preventDefault()}
          >
            {find === '' && (
              <button
                type="button"
                className={styles.handle}
                draggable
                aria-label={`Move ${label}`}
                title="Drag, or Alt with an arrow"
                onDragStart={({ dataTransfer }) => {
                  dataTransfer.effectAllowed = 'move';
                  setDraggedField(field);
                }}
                onDragEnd={() => setDraggedField(null)}
              >
                <Icon name="grip" size={14} />
              </button>
            )}
            <label data-fixed={isFixed || undefined}>
              <Checkbox checked={visibleFields.has(field)} disabled={isFixed} onChange={() => toggle(field)} />
              <span>{label}</span>
              {field === titleField ? <small>takes the rest</small> : isFixed && <small>always shown</small>}
            </label>
          </div>
        ))}
        {matchingColumns.length === 0 && <p className={styles.none}>No matching columns.</p>}
      </div>
      {isLastRefused && (
        <Alert severity="warning" icon={<Icon name="info" />} className={styles.warning}>
          Please select at least one column.
        </Alert>
      )}
    </>
  );
}
