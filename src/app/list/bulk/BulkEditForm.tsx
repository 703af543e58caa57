import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import type { RaRecord } from 'react-admin';
import { useState } from 'react';
import { formatNumber } from '../../../engine/formats/numbers';
import type { Definition, Field } from '../../../engine/definitions/definition';
import { isRelations } from '../../../engine/field-types/relations';
import { recordsAllowedInBulk } from '../../../engine/lists/bulk';
import { columnFilter } from '../../../engine/lists/filter-inputs';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { useEvaluationContext } from '../../admin/useEvaluationContext';
import { LabelledInput } from '../filters/LabelledInput';
import { ValueInput } from '../filters/ValueInput';
import * as styles from '../list.module.css';

interface BulkEditFormProps {
  definition: Definition;
  fields: readonly Field[];
  records: readonly RaRecord[];
  onSave: (field: Field, value: unknown) => void;
  onClose: () => void;
}

/** Sets one field of all selected records to one value. An empty input clears an optional field. */
export function BulkEditForm({ definition, fields, records, onSave, onClose }: BulkEditFormProps) {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const [name, setName] = useState(fields[0]!.name);
  const [value, setValue] = useState<unknown>(undefined);
  const field = fields.find((one) => one.name === name) ?? fields[0]!;
  const count = recordsAllowedInBulk(definition, actor, records, field, evaluationContext).length;
  const missing = value === undefined && (field.required || field.requiredInForm);
  const { one, many } = definition.labels;
  const skipped = records.length - count;
  return (
    <Dialog open onClose={onClose} aria-labelledby="bulk-edit-title" slotProps={{ paper: { sx: { width: 400 } } }}>
      <DialogTitle id="bulk-edit-title">
        Edit {formatNumber(count)} {(count === 1 ? one : many).toLowerCase()}
      </DialogTitle>
      <form
        className={styles.filtersForm}
        onSubmit={(event) => {
          event.preventDefault();
          if (!missing && count > 0) onSave(field, value ?? null);
        }}
      >
        <DialogContent>
          {fields.length > 1 && (
            <LabelledInput label="Field">
              {(id) => (
                <Select
                  fullWidth
                  value={field.name}
                  labelId={`${id}-label`}
                  onChange={({ target }) => {
                    setName(target.value);
                    setValue(undefined);
                  }}
                >
                  {fields.map((each) => (
                    <MenuItem key={each.name} value={each.name}>
                      {each.label}
                    </MenuItem>
                  ))}
                </Select>
              )}
            </LabelledInput>
          )}
          <LabelledInput label={fields.length > 1 ? 'New value' : field.label}>
            {(id) => (
              <ValueInput
                key={field.name}
                {...{ id, definition, value }}
                input={{ ...columnFilter(field), many: isRelations(field) }}
                values={{}}
                asInForm
                placeholder="Choose"
                onChange={setValue}
              />
            )}
          </LabelledInput>
          {skipped > 0 && (
            <p className={styles.bulkSpared}>
              You can't change this field in {formatNumber(skipped)} of the selected; they stay as they are.
            </p>
          )}
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="contained" type="submit" disabled={missing || count === 0}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
