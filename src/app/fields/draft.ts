import { useState } from 'react';

interface DraftOptions {
  value: unknown;
  /** The value as its readers write it; what is no such value stays as it is. */
  format: (value: unknown) => string;
  /** Reads what was typed; undefined where that is no value. */
  parse: (text: string) => unknown;
  onChange: (value: unknown) => void;
}

/**
 * Text while it is typed, for values that are written in more than one way. The text stays as typed until the input is
 * left, then shows the value's usual form. Text that cannot be read is handed on as it is.
 */
export function useDraft({ value, format, parse, onChange }: DraftOptions) {
  const [draft, setDraft] = useState<string | null>(null);
  const shown = value === undefined || value === null ? '' : format(value);
  return {
    text: draft ?? shown,
    onText: (text: string) => {
      setDraft(text);
      onChange(text.trim() === '' ? undefined : (parse(text) ?? text));
    },
    onBlur: () => setDraft(null),
  };
}
