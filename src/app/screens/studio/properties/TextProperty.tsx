import OutlinedInput from '@mui/material/OutlinedInput';
import { memo } from 'react';
import { LabelledInput } from './LabelledInput';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';

export interface PropertyProps {
  /** JSON pointer of the place. */
  at: string;
  label: string;
  /** The default, shown as a placeholder. */
  usual?: string;
}

/** An input for text at a place of the draft. When emptied, the key is removed and its default applies. */
export const TextProperty = memo(function TextProperty({
  at,
  label,
  usual,
  lines = 1,
  onChange,
}: PropertyProps & { lines?: number; onChange?: (value: string | undefined) => void }) {
  const { value, set, error, hint } = useDraftValue(at);
  const change = onChange ?? set;
  return (
    <LabelledInput {...{ label, error, hint }}>
      {({ id, describedBy }) => (
        <OutlinedInput
          id={id}
          size="small"
          fullWidth
          multiline={lines > 1}
          minRows={lines > 1 ? lines : undefined}
          autoComplete="off"
          error={error !== undefined}
          placeholder={usual}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => change(event.target.value === '' ? undefined : event.target.value)}
          slotProps={{ input: { 'aria-describedby': describedBy } }}
        />
      )}
    </LabelledInput>
  );
});

/** An input for a number at a place of the draft. */
export const NumberProperty = memo(function NumberProperty({
  at,
  label,
  usual,
  onChange,
}: PropertyProps & { onChange?: (value: number | undefined) => void }) {
  const { value, set, error, hint } = useDraftValue(at);
  const change = onChange ?? set;
  return (
    <LabelledInput {...{ label, error, hint }}>
      {({ id, describedBy }) => (
        <OutlinedInput
          id={id}
          size="small"
          fullWidth
          type="number"
          className={styles.studioNumber}
          autoComplete="off"
          error={error !== undefined}
          placeholder={usual}
          value={typeof value === 'number' ? value : ''}
          onChange={(event) => change(event.target.value === '' ? undefined : Number(event.target.value))}
          slotProps={{ input: { 'aria-describedby': describedBy, step: 'any' } }}
        />
      )}
    </LabelledInput>
  );
});
