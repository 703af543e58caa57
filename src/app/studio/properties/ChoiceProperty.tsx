import Autocomplete from '@mui/material/Autocomplete';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import { memo } from 'react';
import { LabelledInput } from './LabelledInput';
import type { PropertyProps } from './TextProperty';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';

/** An option to choose from. */
export interface Option {
  readonly value: string | number | boolean;
  readonly label: string;
}

interface ChoicePropertyProps extends PropertyProps {
  options: readonly Option[];
  /** Label of the empty choice; without it, an option must be chosen. */
  emptyText?: string;
}

/** A select for a value at a place of the draft. */
export const ChoiceProperty = memo(function ChoiceProperty({
  pointer,
  label,
  options,
  emptyText,
}: ChoicePropertyProps) {
  const { value, set, error, hint } = useDraftValue(pointer);
  return (
    <ChoiceInput
      {...{ label, options, emptyText, error }}
      hint={hint}
      value={value === undefined ? '' : String(value)}
      onChoose={(choice) => set(options.find(({ value: candidate }) => String(candidate) === choice)?.value)}
    />
  );
});

interface ChoiceInputProps extends Pick<ChoicePropertyProps, 'label' | 'options' | 'emptyText'> {
  error?: string;
  hint?: string;
  disabled?: boolean;
  /** The chosen value as text; empty: none. */
  value: string;
  onChoose: (chosen: string) => void;
}

const menuProps = { slotProps: { paper: { sx: { maxHeight: 360 } } } };

/** A select whose choice the caller keeps. */
export function ChoiceInput({ label, options, emptyText, error, hint, disabled, value, onChoose }: ChoiceInputProps) {
  const isUnlisted = value !== '' && !options.some((option) => String(option.value) === value);
  return (
    <LabelledInput {...{ label, error, hint }}>
      {({ id, describedBy }) => (
        <Select
          size="small"
          fullWidth
          displayEmpty
          disabled={disabled}
          error={error !== undefined}
          value={value}
          onChange={({ target }) => onChoose(target.value)}
          inputProps={{ id, 'aria-label': label, 'aria-describedby': describedBy }}
          MenuProps={menuProps}
        >
          {(emptyText !== undefined || value === '') && (
            <MenuItem value="">
              <span className={styles.studioMuted}>{emptyText ?? 'Choose…'}</span>
            </MenuItem>
          )}
          {isUnlisted && <MenuItem value={value}>{value}</MenuItem>}
          {options.map((option) => (
            <MenuItem key={String(option.value)} value={String(option.value)}>
              {option.label}
            </MenuItem>
          ))}
        </Select>
      )}
    </LabelledInput>
  );
}

interface MultiChoicePropertyProps extends PropertyProps {
  options: readonly Option[];
  /** Whether others can be typed too. */
  free?: boolean;
  /** Whether another input of the same key has its explanation. */
  isExplained?: boolean;
  /** The chosen options of the stored value. Default: a list of them. */
  read?: (value: unknown) => string[];
  /** The value to store; undefined removes the key. Default: a list, removed if it is empty. */
  write?: (chosen: string[]) => unknown;
}

const readList = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
const writeList = (values: string[]) => (values.length === 0 ? undefined : values);

/** A multiple choice at a place of the draft, in its order. */
export const MultiChoiceProperty = memo(function MultiChoiceProperty({
  pointer,
  label,
  options,
  placeholder,
  free = false,
  isExplained = false,
  read = readList,
  write = writeList,
}: MultiChoicePropertyProps) {
  const { value, set, error, hint } = useDraftValue(pointer);
  const values = read(value);
  const labelOfValue = (name: string) => options.find((option) => String(option.value) === name)?.label ?? name;
  return (
    <LabelledInput {...{ label, error, hint: isExplained ? undefined : hint }}>
      {({ id, describedBy }) => (
        <Autocomplete
          multiple
          freeSolo={free}
          autoSelect={free}
          id={id}
          size="small"
          disableCloseOnSelect
          disableClearable
          filterSelectedOptions
          options={options.map((option) => String(option.value))}
          getOptionLabel={labelOfValue}
          value={values}
          onChange={(_, next) => set(write(next))}
          renderInput={({ slotProps, ...params }) => (
            <OutlinedInput
              {...slotProps.input}
              id={params.id}
              size="small"
              fullWidth
              error={error !== undefined}
              placeholder={values.length === 0 ? placeholder : undefined}
              slotProps={{ input: { ...slotProps.htmlInput, 'aria-describedby': describedBy } }}
            />
          )}
        />
      )}
    </LabelledInput>
  );
});
