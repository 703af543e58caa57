import OutlinedInput from '@mui/material/OutlinedInput';
import { useState } from 'react';
import { LabelledInput } from './LabelledInput';
import type { PropertyProps } from './TextProperty';
import { useDraftValue } from './useDraftValue';

/** A width at a place of the draft: pixels as a number, or a share such as `80%`. */
export function WidthProperty({ at, label, usual, needed = false }: PropertyProps & { needed?: boolean }) {
  const { value, set, error, hint } = useDraftValue(at);
  const written = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  // What is typed but is no width yet.
  const [typed, setTyped] = useState<{ text: string; of: string } | null>(null);
  const text = typed?.of === written ? typed.text : written;
  const change = (next: string) => {
    const share = /^\s*(\d{1,3}%)\s*$/.exec(next)?.[1];
    const pixels = /^\s*(\d{1,4})\s*(px)?\s*$/.exec(next)?.[1];
    const read = next.trim() === '' ? undefined : (share ?? (pixels ? Number(pixels) : null));
    // What needs a width keeps the last one until there is another.
    if (read === null || (needed && read === undefined)) return setTyped({ text: next, of: written });
    set(read);
    setTyped({ text: next, of: read === undefined ? '' : String(read) });
  };
  const isWidth = (text === '' && !needed) || /^\s*\d{1,4}\s*(px|%)?\s*$/.test(text);
  return (
    <LabelledInput
      {...{ label, hint }}
      error={isWidth ? error : 'A width is a number of pixels, such as 640, or a share, such as 80%.'}
    >
      {({ id, describedBy }) => (
        <OutlinedInput
          id={id}
          size="small"
          fullWidth
          autoComplete="off"
          error={!isWidth || error !== undefined}
          placeholder={usual}
          value={text}
          onChange={(event) => change(event.target.value)}
          slotProps={{ input: { 'aria-describedby': describedBy } }}
        />
      )}
    </LabelledInput>
  );
}
