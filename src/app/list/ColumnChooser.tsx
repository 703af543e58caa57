import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useNotify } from 'react-admin';
import { useMemo, useState, type KeyboardEvent } from 'react';
import { arrangeColumns, toColumnChoices, readableColumns, visibleColumnNames } from '../../engine/lists/columns';
import { isSavedView } from '../../engine/lists/list-state';
import { useDefinitions } from '../data/DefinitionsContext';
import { Icon } from '../icons/Icon';
import { DensityChoice } from '../preferences/DensityChoice';
import { useColumnChoices } from '../preferences/useColumnChoices';
import { useResourceList } from './ResourceList';
import { useListColumns } from './useListColumns';
import * as chooserStyles from './column-chooser.module.css';
import * as toolbarStyles from './toolbar.module.css';

interface ColumnChooserProps {
  onClose: () => void;
  /** Shows the choice of grouping and totals instead. */
  onGroup: () => void;
}

/**
 * Chooses the columns of a list and their order: at least one, and always those fixed by the definition. Saved for the
 * user; of a saved view, and if their order changes, they are part of the list's address until the view is updated.
 */
export function ColumnChooser({ onClose, onGroup }: ColumnChooserProps) {
  const { actor } = useDefinitions();
  const { definition, state, change, onSaveView } = useResourceList();
  const notify = useNotify();
  const { choices: storedChoices, save } = useColumnChoices(definition.name);
  const { choices } = useListColumns(definition, state);
  const defined = useMemo(() => readableColumns(definition, actor), [definition, actor]);
  const [columns, setColumns] = useState(() => arrangeColumns(defined, state.columns));
  const [visibleFields, setVisibleFields] = useState(() => visibleColumnNames(columns, choices));
  const [widths, setWidths] = useState(() => new Map(state.columns?.map(({ field, width }) => [field, width])));
  const [find, setFind] = useState('');
  const isNoneVisible = visibleFields.size === 0;
  const isOrdered = columns.some(({ field }, index) => field !== defined[index]?.field);
  const matchingColumns = columns.filter(({ label }) => label.toLowerCase().includes(find.trim().toLowerCase()));

  const toggle = (field: string) =>
    setVisibleFields((current) => {
      const next = new Set(current);
      if (!next.delete(field)) next.add(field);
      return next;
    });
  const move = (field: string, offset: -1 | 1) =>
    setColumns((current) => {
      const index = current.findIndex((column) => column.field === field);
      if (!current[index + offset]) return current;
      const next = [...current];
      next.splice(index + offset, 0, ...next.splice(index, 1));
      return next;
    });
  const saveAndClose = () => {
    onClose();
    if (isOrdered || widths.size > 0 || isSavedView(state)) {
      const next = columns
        .filter(({ field }) => visibleFields.has(field))
        .map(({ field }) => ({ field, width: widths.get(field) }));
      change((current) => ({ ...current, columns: next }));
      return;
    }
    if (state.columns) change(({ columns: _, ...rest }) => rest);
    save(toColumnChoices(defined, visibleFields, definition, storedChoices)).catch((error: Error) =>
      notify(error.message, { type: 'error' }),
    );
  };
  /** Enter shows or hides the first column that was found, Ctrl+Enter saves. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) return isNoneVisible ? undefined : saveAndClose();
    const first = matchingColumns.find((column) => !column.fixed);
    if (first && find !== '') toggle(first.field);
  };
  return (
    <>
      <div className={chooserStyles.columnsFind}>
        <OutlinedInput
          size="small"
          fullWidth
          autoFocus
          placeholder="Find a column"
          value={find}
          onChange={(event) => setFind(event.target.value)}
          onKeyDown={onKeyDown}
          slotProps={{ input: { 'aria-label': 'Find a column' } }}
          startAdornment={
            <InputAdornment position="start">
              <Icon name="search" />
            </InputAdornment>
          }
        />
      </div>
      <div className={chooserStyles.columnsList} role="group" aria-label="Columns">
        {matchingColumns.map(({ field, label, fixed: isFixed }, index) => (
          <div key={field} className={chooserStyles.columnsLine}>
            <label className={chooserStyles.columnsEntry} data-fixed={isFixed || undefined}>
              <Checkbox checked={visibleFields.has(field)} disabled={isFixed} onChange={() => toggle(field)} />
              <span>{label}</span>
              {isFixed && <small>always shown</small>}
            </label>
            {find === '' && (
              <>
                <MoveButton
                  label={`Move ${label} up`}
                  icon="arrow-up"
                  enabled={index > 0}
                  onMove={() => move(field, -1)}
                />
                <MoveButton
                  label={`Move ${label} down`}
                  icon="arrow-down"
                  enabled={index < columns.length - 1}
                  onMove={() => move(field, 1)}
                />
              </>
            )}
          </div>
        ))}
        {matchingColumns.length === 0 && <p className={chooserStyles.columnsNone}>No matching columns.</p>}
      </div>
      {isNoneVisible && (
        <Alert severity="warning" icon={<Icon name="info" />} className={chooserStyles.columnsWarning}>
          Please select at least one column.
        </Alert>
      )}
      <div className={chooserStyles.columnsDensity}>
        <DensityChoice />
        {onSaveView && !isSavedView(state) && (
          <Button
            variant="text"
            startIcon={<Icon name="save" />}
            onClick={() => {
              onClose();
              onSaveView();
            }}
          >
            New view…
          </Button>
        )}
      </div>
      <div className={chooserStyles.columnsFoot}>
        <Button
          variant="text"
          onClick={() => {
            setColumns(defined);
            setWidths(new Map());
            setVisibleFields(visibleColumnNames(defined, null));
          }}
        >
          Default
        </Button>
        <Button variant="text" onClick={onGroup}>
          Group…
        </Button>
        <span className={toolbarStyles.listGrow} />
        <Button variant="outlined" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="contained" disabled={isNoneVisible} onClick={saveAndClose}>
          Save
        </Button>
      </div>
    </>
  );
}

interface MoveButtonProps {
  label: string;
  icon: string;
  enabled: boolean;
  onMove: () => void;
}

/** Keeps the focus at the ends of the list, so that the keyboard does not lose its place. */
function MoveButton({ label, icon, enabled, onMove }: MoveButtonProps) {
  return (
    <IconButton
      size="small"
      aria-label={label}
      aria-disabled={!enabled}
      className={chooserStyles.columnsMove}
      onClick={() => enabled && onMove()}
    >
      <Icon name={icon} size={14} />
    </IconButton>
  );
}
