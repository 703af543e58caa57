import OutlinedInput from '@mui/material/OutlinedInput';
import { memo, useState } from 'react';
import { formatJson } from '../../../../engine/studio/format-source';
import { LabelledInput } from './LabelledInput';
import type { PropertyProps } from './TextProperty';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';

/** A value edited as JSON, for what has no inputs of its own. It is applied whenever it can be parsed. */
export const JsonProperty = memo(function JsonProperty({ at, label, usual }: PropertyProps) {
  const { value, set, error, hint } = useDraftValue(at);
  const written = value === undefined ? '' : formatJson(value);
  const [typed, setTyped] = useState<{ text: string; of: string } | null>(null);
  const text = typed && typed.of === written ? typed.text : written;
  const readable = text.trim() === '' || tryParse(text) !== undefined;
  const change = (next: string) => {
    const read = next.trim() === '' ? undefined : tryParse(next);
    if (read === undefined && next.trim() !== '') return setTyped({ text: next, of: written });
    set(read);
    setTyped({ text: next, of: read === undefined ? '' : formatJson(read) });
  };
  return (
    <LabelledInput {...{ label, hint }} error={readable ? error : 'This is not valid JSON.'}>
      {({ id, describedBy }) => (
        <OutlinedInput
          id={id}
          size="small"
          fullWidth
          multiline
          minRows={1}
          maxRows={12}
          className={styles.studioJson}
          error={!readable || error !== undefined}
          placeholder={usual}
          value={text}
          onChange={(event) => change(event.target.value)}
          slotProps={{ input: { spellCheck: false, 'aria-describedby': describedBy } }}
        />
      )}
    </LabelledInput>
  );
});

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
