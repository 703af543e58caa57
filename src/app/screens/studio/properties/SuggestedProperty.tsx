import Autocomplete from '@mui/material/Autocomplete';
import OutlinedInput from '@mui/material/OutlinedInput';
import { createFilterOptions } from '@mui/material/useAutocomplete';
import { LabelledInput } from './LabelledInput';
import type { Option } from './ChoiceProperty';
import type { PropertyProps } from './TextProperty';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';

interface SuggestedPropertyProps extends PropertyProps {
  ways: readonly Option[];
  /** What stays when it is emptied; default: the key is removed. */
  emptied?: string;
}

/** A text with suggestions: any other can be typed. */
export function SuggestedProperty({ at, label, ways, usual, emptied }: SuggestedPropertyProps) {
  const { value, set, error, hint } = useDraftValue(at);
  const written = typeof value === 'string' ? value : '';
  const named = (name: string) => ways.find((way) => way.value === name)?.label ?? name;
  const put = (next: string) => set(next === '' ? emptied : next);
  return (
    <LabelledInput {...{ label, error, hint }} note={named(written) === written ? undefined : named(written)}>
      {({ id, describedBy }) => (
        <Autocomplete
          freeSolo
          id={id}
          size="small"
          options={ways.map((way) => String(way.value))}
          filterOptions={createFilterOptions({ stringify: (name) => `${name} ${named(name)}` })}
          inputValue={written}
          value={written}
          onInputChange={(_, typed, reason) => {
            if (reason !== 'reset') put(typed);
          }}
          onChange={(_, chosen) => put(chosen ?? '')}
          renderOption={({ key, ...props }, name) => (
            <li key={key} {...props}>
              <span>
                {named(name)} {named(name) !== name && <small className={styles.studioMuted}>{name}</small>}
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
              placeholder={usual}
              slotProps={{ input: { ...slotProps.htmlInput, 'aria-describedby': describedBy } }}
            />
          )}
        />
      )}
    </LabelledInput>
  );
}
