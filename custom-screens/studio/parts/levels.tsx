import Autocomplete from '@mui/material/Autocomplete';
import OutlinedInput from '@mui/material/OutlinedInput';
import { actions, levels } from '../../../src/engine/definitions/definition';
import { Labelled } from '../properties/Labelled';
import type { Way } from '../properties/ChoiceAt';
import { useAt } from '../properties/useAt';

const names = ['Administrator', 'Company Owner', 'Manager', 'Developer', 'QA', 'External User'];

/** The levels with the names of their shipped roles. */
export const levelWays: readonly Way[] = levels.map((level) => ({
  value: String(level),
  label: `${level} ${names[level - 1]}`,
}));

/** The actions of a rule as text. */
export function actionWords(action: unknown): string {
  return [action].flat().join(', ');
}

interface ManyProps {
  label: string;
  at: string;
  ways: readonly Way[];
  read: (value: unknown) => string[];
  write: (chosen: string[]) => unknown;
}

function Many({ label, at, ways, read, write }: ManyProps) {
  const { value, set, error } = useAt(at);
  return (
    <Labelled {...{ label, error }}>
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
    </Labelled>
  );
}

/** The levels that a rule applies to. */
export function LevelsAt({ at, ways }: { at: string; ways: readonly Way[] }) {
  return (
    <Many
      label="For"
      {...{ at, ways }}
      read={(value) => [value ?? []].flat().map(String)}
      write={(chosen) => chosen.map(Number).sort()}
    />
  );
}

/** The actions of a rule, stored as a name if there is one, else as a list. */
export function ActionsAt({ at }: { at: string }) {
  return (
    <Many
      label="To"
      at={at}
      ways={actions.map((action) => ({ value: action, label: action }))}
      read={(value) => [value ?? []].flat().map(String)}
      write={(chosen) => (chosen.length === 1 ? chosen[0] : chosen)}
    />
  );
}
