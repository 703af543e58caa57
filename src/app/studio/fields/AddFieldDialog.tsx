import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import { useState, type FormEvent } from 'react';
import type { FieldTypeName } from '../../../engine/definitions/definition';
import { typeNamesWhere } from '../../../engine/field-types';
import { addField } from '../../../engine/studio/fields';
import { useDraft } from '../draft';
import { addToForm, setShownInList } from './listFields';
import { LabelledInput } from '../properties/LabelledInput';
import { TypeLabel } from './TypeLabel';
import * as dialogsStyles from '../plan/dialogs.module.css';
import * as propertiesStyles from '../properties/properties.module.css';

/** A dialog for a new field's label and type; adds the field and opens its properties. */
export function AddFieldDialog({ onClose }: { onClose: () => void }) {
  const { source, pointer, edit, go } = useDraft();
  const currentField = /^\/fields\/([^/]+)$/.exec(pointer)?.[1];
  const [label, setLabel] = useState('');
  const [isColumn, setColumn] = useState(false);
  const [type, setType] = useState<FieldTypeName>('text');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (label.trim() === '') return;
    const result = addField(source, { label: label.trim(), type }, currentField);
    edit((now) => {
      const next = addToForm(addField(now, { label: label.trim(), type }, currentField).source, result.name);
      return isColumn ? setShownInList(next, result.name, true) : next;
    });
    onClose();
    go(`/fields/${result.name}`, 'properties');
  };
  return (
    <Dialog
      open
      onClose={onClose}
      slotProps={{ paper: { className: `${dialogsStyles.studioDialog} ${dialogsStyles.studioAdd}` } }}
    >
      <DialogTitle component="h2">Add field</DialogTitle>
      <form onSubmit={submit}>
        <DialogContent>
          <LabelledInput label="Label" note="The name that users see.">
            {({ id, describedBy }) => (
              <OutlinedInput
                id={id}
                fullWidth
                autoFocus
                autoComplete="off"
                value={label}
                onChange={(event) => setLabel(event.target.value)}
                slotProps={{ input: { 'aria-describedby': describedBy } }}
              />
            )}
          </LabelledInput>
          <LabelledInput label="Type">
            {({ id }) => (
              <Select
                fullWidth
                value={type}
                onChange={({ target }) => setType(target.value)}
                inputProps={{ id, 'aria-label': 'Type' }}
                MenuProps={{ slotProps: { paper: { sx: { maxHeight: 360 } } } }}
                renderValue={(name) => (
                  <span className={propertiesStyles.studioType}>
                    <TypeLabel type={name} />
                  </span>
                )}
              >
                {typeNamesWhere(() => true).map((name) => (
                  <MenuItem key={name} value={name}>
                    <TypeLabel type={name} />
                  </MenuItem>
                ))}
              </Select>
            )}
          </LabelledInput>
          <FormControlLabel
            label="Show it as a column of the list"
            control={<Checkbox checked={isColumn} onChange={(_, isChecked) => setColumn(isChecked)} />}
          />
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" size="large" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" size="large" disabled={label.trim() === ''}>
            Add field
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
