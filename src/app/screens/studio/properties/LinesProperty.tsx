import OutlinedInput from '@mui/material/OutlinedInput';
import { LabelledInput } from './LabelledInput';
import { useDraftValue } from './useDraftValue';

/** A text that is stored as a list of its lines. */
export function LinesProperty({ at, label }: { at: string; label: string }) {
  const { value, set, hint, error } = useDraftValue(at);
  const lines = Array.isArray(value) ? value.map(String) : [];
  return (
    <LabelledInput {...{ label, hint, error }}>
      {({ id, describedBy }) => (
        <OutlinedInput
          id={id}
          size="small"
          fullWidth
          multiline
          minRows={6}
          maxRows={30}
          error={error !== undefined}
          value={lines.join('\n')}
          onChange={(event) => set(event.target.value.split('\n'))}
          slotProps={{ input: { spellCheck: false, 'aria-describedby': describedBy } }}
        />
      )}
    </LabelledInput>
  );
}
