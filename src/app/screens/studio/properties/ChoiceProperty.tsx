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
  ways: readonly Option[];
  /** Label of the empty choice; without it, an option must be chosen. */
  none?: string;
}

/** A select for a value at a place of the draft. */
export const ChoiceProperty = memo(function ChoiceProperty({ at, label, ways, none }: ChoicePropertyProps) {
  const { value, set, error, hint } = useDraftValue(at);
  return (
    <ChoiceInput
      {...{ label, ways, none, error }}
      hint={hint}
      chosen={value === undefined ? '' : String(value)}
      onChoose={(chosen) => set(ways.find(({ value: one }) => String(one) === chosen)?.value)}
    />
  );
});

interface ChoiceInputProps extends Pick<ChoicePropertyProps, 'label' | 'ways' | 'none'> {
  error?: string;
  hint?: string;
  disabled?: boolean;
  /** The chosen value as text; empty: none. */
  chosen: string;
  onChoose: (chosen: string) => void;
}

const menuProps = { slotProps: { paper: { sx: { maxHeight: 360 } } } };

/** A select whose choice the caller keeps. */
export function ChoiceInput({ label, ways, none, error, hint, disabled, chosen, onChoose }: ChoiceInputProps) {
  const strange = chosen !== '' && !ways.some((way) => String(way.value) === chosen);
  return (
    <LabelledInput {...{ label, error, hint }}>
      {({ id, describedBy }) => (
        <Select
          size="small"
          fullWidth
          displayEmpty
          disabled={disabled}
          error={error !== undefined}
          value={chosen}
          onChange={({ target }) => onChoose(target.value)}
          inputProps={{ id, 'aria-label': label, 'aria-describedby': describedBy }}
          MenuProps={menuProps}
        >
          {(none !== undefined || chosen === '') && (
            <MenuItem value="">
              <span className={styles.studioMuted}>{none ?? 'Choose…'}</span>
            </MenuItem>
          )}
          {strange && <MenuItem value={chosen}>{chosen}</MenuItem>}
          {ways.map((way) => (
            <MenuItem key={String(way.value)} value={String(way.value)}>
              {way.label}
            </MenuItem>
          ))}
        </Select>
      )}
    </LabelledInput>
  );
}

interface MultiChoicePropertyProps extends PropertyProps {
  ways: readonly Option[];
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
const writeList = (chosen: string[]) => (chosen.length === 0 ? undefined : chosen);

/** A multiple choice at a place of the draft, in its order. */
export const MultiChoiceProperty = memo(function MultiChoiceProperty({
  at,
  label,
  ways,
  usual,
  free = false,
  isExplained = false,
  read = readList,
  write = writeList,
}: MultiChoicePropertyProps) {
  const { value, set, error, hint } = useDraftValue(at);
  const chosen = read(value);
  const named = (name: string) => ways.find((way) => String(way.value) === name)?.label ?? name;
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
          options={ways.map((way) => String(way.value))}
          getOptionLabel={named}
          value={chosen}
          onChange={(_, next) => set(write(next))}
          renderInput={({ slotProps, ...params }) => (
            <OutlinedInput
              {...slotProps.input}
              id={params.id}
              size="small"
              fullWidth
              error={error !== undefined}
              placeholder={chosen.length === 0 ? usual : undefined}
              slotProps={{ input: { ...slotProps.htmlInput, 'aria-describedby': describedBy } }}
            />
          )}
        />
      )}
    </LabelledInput>
  );
});
