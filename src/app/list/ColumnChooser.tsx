import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useNotify } from 'react-admin';
import { useMemo, useState } from 'react';
import type { Definition } from '../../engine/definitions/definition';
import { toColumnChoices, readableColumns, visibleColumnNames } from '../../engine/lists/columns';
import { useDefinitions } from '../admin/DefinitionsContext';
import { Icon } from '../icons/Icon';
import { useColumnChoices } from '../preferences/useColumnChoices';
import * as styles from './list.module.css';

/** Chooses the columns of a list: at least one, and always those fixed by the definition. Saved for the user. */
export function ColumnChooser({ definition, onClose }: { definition: Definition; onClose: () => void }) {
  const { actor } = useDefinitions();
  const notify = useNotify();
  const { choices, save } = useColumnChoices(definition.name);
  const columns = useMemo(() => readableColumns(definition, actor), [definition, actor]);
  const [shown, setShown] = useState(() => visibleColumnNames(columns, choices));
  const [find, setFind] = useState('');
  const none = shown.size === 0;
  const found = columns.filter(({ label }) => label.toLowerCase().includes(find.trim().toLowerCase()));

  const toggle = (field: string) =>
    setShown((old) => {
      const next = new Set(old);
      if (!next.delete(field)) next.add(field);
      return next;
    });
  const saveAndClose = () => {
    onClose();
    save(toColumnChoices(columns, shown, definition, choices)).catch((error: Error) =>
      notify(error.message, { type: 'error' }),
    );
  };
  return (
    <>
      <div className={styles.columnsFind}>
        <OutlinedInput
          size="small"
          fullWidth
          autoFocus
          placeholder="Find a column"
          value={find}
          onChange={(event) => setFind(event.target.value)}
          slotProps={{ input: { 'aria-label': 'Find a column' } }}
          startAdornment={
            <InputAdornment position="start">
              <Icon name="search" />
            </InputAdornment>
          }
        />
      </div>
      <div className={styles.columnsList} role="group" aria-label="Columns">
        {found.map(({ field, label, fixed }) => (
          <label key={field} className={styles.columnsEntry} data-fixed={fixed || undefined}>
            <Checkbox checked={shown.has(field)} disabled={fixed} onChange={() => toggle(field)} />
            <span>{label}</span>
            {fixed && <small>always shown</small>}
          </label>
        ))}
        {found.length === 0 && <p className={styles.columnsNone}>No matching columns.</p>}
      </div>
      {none && (
        <Alert severity="warning" icon={<Icon name="info" />} className={styles.columnsWarning}>
          Please select at least one column.
        </Alert>
      )}
      <div className={styles.columnsFoot}>
        <Button variant="text" onClick={() => setShown(visibleColumnNames(columns, null))}>
          Default
        </Button>
        <span className={styles.listGrow} />
        <Button variant="outlined" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="contained" disabled={none} onClick={saveAndClose}>
          Save
        </Button>
      </div>
    </>
  );
}
