import { memo } from 'react';
import { TextInput } from './TextInput';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';

export interface PropertyProps {
  /** JSON pointer of the place. */
  pointer: string;
  label: string;
  /** The default, shown as a placeholder. */
  placeholder?: string;
}

/** An input for text at a place of the draft. When emptied, the key is removed and its default applies. */
export const TextProperty = memo(function TextProperty({
  pointer,
  lines,
  onChange,
  ...words
}: PropertyProps & { lines?: number; onChange?: (value: string | undefined) => void }) {
  const { value, set, error, hint } = useDraftValue(pointer);
  const change = onChange ?? set;
  return (
    <TextInput
      {...{ ...words, lines, error, hint }}
      value={typeof value === 'string' || typeof value === 'number' ? value : ''}
      onChange={(text) => change(text === '' ? undefined : text)}
    />
  );
});

/** An input for a number at a place of the draft. */
export const NumberProperty = memo(function NumberProperty({
  pointer,
  onChange,
  ...words
}: PropertyProps & { onChange?: (value: number | undefined) => void }) {
  const { value, set, error, hint } = useDraftValue(pointer);
  const change = onChange ?? set;
  return (
    <TextInput
      {...{ ...words, error, hint }}
      isNumber
      className={styles.studioNumber}
      value={typeof value === 'number' ? value : ''}
      onChange={(text) => change(text === '' ? undefined : Number(text))}
    />
  );
});
