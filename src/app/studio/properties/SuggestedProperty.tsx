import Autocomplete from '@mui/material/Autocomplete';
import OutlinedInput from '@mui/material/OutlinedInput';
import { createFilterOptions } from '@mui/material/useAutocomplete';
import { LabelledInput } from './LabelledInput';
import type { Option } from './ChoiceProperty';
import type { PropertyProps } from './TextProperty';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';

interface SuggestedPropertyProps extends PropertyProps {
  options: readonly Option[];
  /** The value that stays when it is emptied; default: the key is removed. */
  emptyValue?: string;
}

/** A text with suggestions: any other can be typed. */
export function SuggestedProperty({ pointer, label, options, placeholder, emptyValue }: SuggestedPropertyProps) {
  const { value, set, error, hint } = useDraftValue(pointer);
  const storedText = typeof value === 'string' ? value : '';
  const labelOfName = (name: string) => options.find((option) => option.value === name)?.label ?? name;
  const put = (next: string) => set(next === '' ? emptyValue : next);
  return (
    <LabelledInput
      {...{ label, error, hint }}
      note={labelOfName(storedText) === storedText ? undefined : labelOfName(storedText)}
    >
      {({ id, describedBy }) => (
        <Autocomplete
          freeSolo
          id={id}
          size="small"
          options={options.map((option) => String(option.value))}
          filterOptions={createFilterOptions({ stringify: (name) => `${name} ${labelOfName(name)}` })}
          inputValue={storedText}
          value={storedText}
          onInputChange={(_, typedText, reason) => {
            if (reason !== 'reset') put(typedText);
          }}
          onChange={(_, option) => put(option ?? '')}
          renderOption={({ key, ...props }, name) => (
            <li key={key} {...props}>
              <span>
                {labelOfName(name)} {labelOfName(name) !== name && <small className={styles.studioMuted}>{name}</small>}
              </span>
            </li>
          )}
          renderInput={({ slotProps, ...params }) => (
            <OutlinedInput
              {...slotProps.input}
              id={params.id}
              size="small"
              fullWidth
              error={error !== undefined}
              placeholder={placeholder}
              slotProps={{ input: { ...slotProps.htmlInput, 'aria-describedby': describedBy } }}
            />
          )}
        />
      )}
    </LabelledInput>
  );
}
