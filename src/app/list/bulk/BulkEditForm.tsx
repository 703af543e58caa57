import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import MenuItem from '@mui/material/MenuItem';
import IconButton from '@mui/material/IconButton';
import Select from '@mui/material/Select';
import type { RaRecord } from 'react-admin';
import { Fragment, useRef, useState } from 'react';
import { formatNumber } from '../../../engine/formats/numbers';
import type { Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import { isRelations } from '../../../engine/field-types/relations';
import { recordsAllowedInBulk } from '../../../engine/lists/bulk';
import { columnFilter } from '../../../engine/lists/filter-inputs';
import { firstOf, itemAt } from '../../../engine/values/lookups';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { Icon } from '../../icons/Icon';
import { ValueInput, LabelledInput } from '../filters/ValueInput';
import { useBulkChoices } from './useBulkChoices';
import * as filterStyles from '../filters/filters.module.css';
import * as styles from './bulk.module.css';

interface BulkEditFormProps {
  definition: Definition;
  fields: readonly Field[];
  /** The field that is asked for; default: the first, which can be changed for another. */
  first?: Field;
  records: readonly RaRecord[];
  /** Called with the new values by field. */
  onSave: (values: ResourceRecord) => void;
  onClose: () => void;
}

/** A field to change, and its value: undefined while its input is empty. */
interface Change {
  readonly name: string;
  readonly value: unknown;
}

/** Sets some fields of all selected records to the same values. An empty input clears an optional field. */
export function BulkEditForm({ definition, fields, first, records, onSave, onClose }: BulkEditFormProps) {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const [changes, setChanges] = useState<readonly Change[]>([
    { name: (first ?? firstOf(fields)).name, value: undefined },
  ]);
  const form = useRef<HTMLFormElement>(null);
  // A field that was chosen before leaves only its value to choose.
  const focusValue = () => {
    const [field, value] =
      form.current?.querySelectorAll<HTMLElement>('[role=combobox], input:not([aria-hidden])') ?? [];
    (fields.length > 1 ? value : field)?.focus();
  };
  const chosenFields = changes.flatMap(({ name }) => fields.find((candidate) => candidate.name === name) ?? []);
  const free = fields.filter((candidate) => !chosenFields.includes(candidate));
  const count = recordsAllowedInBulk(definition, actor, records, chosenFields, evaluationContext).length;
  const isMissing = changes.some(({ value }, index) => value === undefined && isRequired(chosenFields[index]));
  const { one: singular, many: plural } = definition.labels;
  const skippedCount = records.length - count;
  /** The values of the other inputs, on which the choices of this one may depend. */
  const valuesExcept = (excludedIndex: number): ResourceRecord =>
    Object.fromEntries(changes.filter((_, index) => index !== excludedIndex).map(({ name, value }) => [name, value]));
  const setChange = (index: number, change: Change) => setChanges(changes.with(index, change));
  return (
    <Dialog
      open
      onClose={onClose}
      aria-labelledby="bulk-edit-title"
      slotProps={{ paper: { sx: { width: 400 } }, transition: { onEntered: first && focusValue } }}
    >
      <DialogTitle id="bulk-edit-title">
        Edit {formatNumber(count)} {(count === 1 ? singular : plural).toLowerCase()}
      </DialogTitle>
      <form
        ref={form}
        className={filterStyles.filtersForm}
        onSubmit={(event) => {
          event.preventDefault();
          const values = changes.map(({ name, value }, index) => [name, valueOf(itemAt(chosenFields, index), value)]);
          if (!isMissing && count > 0) onSave(Object.fromEntries(values) as ResourceRecord);
        }}
      >
        <DialogContent>
          {chosenFields.map((field, index) => {
            const number = index === 0 ? '' : ` ${index + 1}`;
            return (
              <Fragment key={field.name}>
                {fields.length > 1 && (
                  <LabelledInput
                    label={`Field${number}`}
                    note={
                      index > 0 && (
                        <IconButton
                          size="small"
                          aria-label={`Don't change ${field.label}`}
                          onClick={() => setChanges(changes.toSpliced(index, 1))}
                        >
                          <Icon name="close" size={16} />
                        </IconButton>
                      )
                    }
                  >
                    {(id) => (
                      <Select
                        fullWidth
                        value={field.name}
                        labelId={`${id}-label`}
                        autoFocus={index > 0}
                        onChange={({ target }) => setChange(index, { name: target.value, value: undefined })}
                      >
                        {fields
                          .filter((candidate) => candidate === field || free.includes(candidate))
                          .map((candidate) => (
                            <MenuItem key={candidate.name} value={candidate.name}>
                              {candidate.label}
                            </MenuItem>
                          ))}
                      </Select>
                    )}
                  </LabelledInput>
                )}
                <LabelledInput
                  label={fields.length > 1 ? `New value${number}` : field.label}
                  note={itemAt(changes, index).value === undefined && !isRequired(field) && 'Empty: cleared'}
                >
                  {(id) => (
                    <BulkValueInput
                      {...{
                        id,
                        definition,
                        field,
                        records,
                        value: itemAt(changes, index).value,
                        changes: valuesExcept(index),
                      }}
                      onChange={(value) => setChange(index, { name: field.name, value })}
                    />
                  )}
                </LabelledInput>
              </Fragment>
            );
          })}
          {free.length > 0 && (
            <Button
              variant="text"
              startIcon={<Icon name="plus" size={16} />}
              onClick={() => setChanges([...changes, { name: firstOf(free).name, value: undefined }])}
            >
              Change another field
            </Button>
          )}
          {skippedCount > 0 && (
            <p className={styles.bulkSpared}>
              You can't change {chosenFields.length > 1 ? 'these fields' : 'this field'} in {formatNumber(skippedCount)}{' '}
              of the selected; they stay as they are.
            </p>
          )}
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="contained" type="submit" disabled={isMissing || count === 0}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface BulkValueInputProps {
  id: string;
  definition: Definition;
  field: Field;
  records: readonly RaRecord[];
  value: unknown;
  changes: ResourceRecord;
  onChange: (value: unknown) => void;
}

/** The new value of a field, with the choices that all selected records allow. */
function BulkValueInput({ id, definition, field, records, value, changes, onChange }: BulkValueInputProps) {
  const { source, note } = useBulkChoices({ definition, field, records, changes });
  return (
    <>
      <ValueInput
        {...{ id, definition, value, onChange, choices: source }}
        input={{ ...columnFilter(field), many: isRelations(field) }}
        values={{}}
        isStored
        placeholder="Choose"
      />
      {note !== '' && <p className={styles.bulkSpared}>{note}</p>}
    </>
  );
}

function isRequired(field: Field | undefined): boolean {
  return field !== undefined && (field.required || field.requiredInForm);
}

/** Inputs of lists have a single related record without an array, and none as undefined. */
function valueOf(field: Field, value: unknown): unknown {
  if (!isRelations(field)) return value ?? null;
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}
