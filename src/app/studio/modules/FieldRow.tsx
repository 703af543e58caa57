import Checkbox from '@mui/material/Checkbox';
import FormHelperText from '@mui/material/FormHelperText';
import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import { useId, type KeyboardEvent } from 'react';
import { requiredKeys } from '../../../engine/studio/type-keys';
import { useDefinitions } from '../../data/DefinitionsContext';
import { Icon } from '../../icons/Icon';
import { TypeLabel } from '../fields/TypeLabel';
import { newFieldTypes, type NewFieldForm } from './newModuleForm';
import * as propertiesStyles from '../properties/properties.module.css';
import * as styles from './new-module.module.css';

interface FieldRowProps {
  field: NewFieldForm;
  /** From 1. */
  number: number;
  focused: boolean;
  error: string | undefined;
  onChange: (change: Partial<NewFieldForm>) => void;
  onNext: () => void;
  onRemove: () => void;
}

/** One field of a new module. Enter moves to the next field. */
export function FieldRow({ field, number, focused, error, onChange, onNext, onRemove }: FieldRowProps) {
  const { registry } = useDefinitions();
  const id = useId();
  const neededKeys = requiredKeys(field.type);
  const fieldText = field.label.trim() || `field ${number}`;
  const next = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    onNext();
  };
  const targets = [...registry.definitions.values()].sort((first, second) =>
    first.labels.many.localeCompare(second.labels.many),
  );
  const ariaProps = { 'aria-invalid': error !== undefined, 'aria-describedby': error && `${id}-error` };
  return (
    <li className={styles.wishField}>
      <OutlinedInput
        size="small"
        autoFocus={focused}
        autoComplete="off"
        placeholder="Label"
        value={field.label}
        error={error !== undefined}
        onChange={(event) => onChange({ label: event.target.value })}
        onKeyDown={next}
        slotProps={{ input: { 'aria-label': `Label of field ${number}`, maxLength: 60, ...ariaProps } }}
      />
      <Select
        size="small"
        value={field.type}
        onChange={({ target }) => onChange({ type: target.value })}
        inputProps={{ 'aria-label': `Type of ${fieldText}` }}
        MenuProps={{ slotProps: { paper: { sx: { maxHeight: 360 } } } }}
        renderValue={(type) => (
          <span className={propertiesStyles.studioType}>
            <TypeLabel type={type} />
          </span>
        )}
      >
        {newFieldTypes.map((type) => (
          <MenuItem key={type} value={type}>
            <TypeLabel type={type} />
          </MenuItem>
        ))}
      </Select>
      <label className={styles.wishRequired}>
        <Checkbox
          size="small"
          checked={field.isRequired}
          onChange={(_, isRequired) => onChange({ isRequired })}
          slotProps={{ input: { 'aria-label': `${fieldText} is required` } }}
        />
        Required
      </label>
      <IconButton size="small" title="Remove" aria-label={`Remove ${fieldText}`} onClick={onRemove}>
        <Icon name="close" />
      </IconButton>
      {neededKeys.includes('options') && (
        <OutlinedInput
          size="small"
          className={styles.wishMore}
          placeholder="Options, separated by commas: In use, In repair, Retired"
          value={field.options}
          onChange={(event) => onChange({ options: event.target.value })}
          onKeyDown={next}
          slotProps={{ input: { 'aria-label': `Options of ${fieldText}`, ...ariaProps } }}
        />
      )}
      {neededKeys.includes('to') && (
        <Select
          size="small"
          className={styles.wishMore}
          displayEmpty
          value={field.target}
          onChange={({ target }) => onChange({ target: target.value, type: field.type })}
          inputProps={{ 'aria-label': `Module that ${fieldText} points to`, ...ariaProps }}
          MenuProps={{ slotProps: { paper: { sx: { maxHeight: 360 } } } }}
          renderValue={(name) => targets.find((target) => target.name === name)?.labels.many ?? 'Choose the module'}
        >
          {targets.map(({ name, labels }) => (
            <MenuItem key={name} value={name}>
              {labels.many}
            </MenuItem>
          ))}
        </Select>
      )}
      {error && (
        <FormHelperText error id={`${id}-error`} className={styles.wishMore}>
          {error}
        </FormHelperText>
      )}
    </li>
  );
}
