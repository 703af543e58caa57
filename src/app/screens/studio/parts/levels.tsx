import Autocomplete from '@mui/material/Autocomplete';
import OutlinedInput from '@mui/material/OutlinedInput';
import { actions, levels } from '../../../../engine/definitions/definition';
import { LabelledInput } from '../properties/LabelledInput';
import type { Option } from '../properties/ChoiceProperty';
import { useDraftValue } from '../properties/useDraftValue';

const levelNames = ['Administrator', 'Company Owner', 'Manager', 'Developer', 'QA', 'External User'];

/** The levels with the names of their shipped roles. */
export const levelOptions: readonly Option[] = levels.map((level) => ({
  value: String(level),
  label: `${level} ${levelNames[level - 1]}`,
}));

/** The actions of a rule as text. */
export function actionsText(action: unknown): string {
  return [action].flat().join(', ');
}

interface MultiSelectProps {
  label: string;
  at: string;
  ways: readonly Option[];
  read: (value: unknown) => string[];
  write: (chosen: string[]) => unknown;
}

function MultiSelect({ label, at, ways, read, write }: MultiSelectProps) {
  const { value, set, error } = useDraftValue(at);
  return (
    <LabelledInput {...{ label, error }}>
      {({ id, describedBy }) => (
        <Autocomplete
          multiple
          id={id}
          size="small"
          disableCloseOnSelect
          disableClearable
          filterSelectedOptions
          options={ways.map((way) => String(way.value))}
          getOptionLabel={(one) => ways.find((way) => way.value === one)?.label ?? one}
          value={read(value)}
          onChange={(_, chosen) => set(write(chosen))}
          renderInput={({ slotProps, ...params }) => (
            <OutlinedInput
              {...slotProps.input}
              id={params.id}
              size="small"
              fullWidth
              error={error !== undefined}
              slotProps={{ input: { ...slotProps.htmlInput, 'aria-describedby': describedBy } }}
            />
          )}
        />
      )}
    </LabelledInput>
  );
}

/** The levels that a rule applies to. */
export function LevelsProperty({ at, ways }: { at: string; ways: readonly Option[] }) {
  return (
    <MultiSelect
      label="For"
      {...{ at, ways }}
      read={(value) => [value ?? []].flat().map(String)}
      write={(chosen) => chosen.map(Number).sort()}
    />
  );
}

/** The actions of a rule, stored as a name if there is one, else as a list. */
export function ActionsProperty({ at }: { at: string }) {
  return (
    <MultiSelect
      label="To"
      at={at}
      ways={actions.map((action) => ({ value: action, label: action }))}
      read={(value) => [value ?? []].flat().map(String)}
      write={(chosen) => (chosen.length === 1 ? chosen[0] : chosen)}
    />
  );
}
