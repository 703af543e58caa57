import { useState } from 'react';

interface DraftOptions {
  value: unknown;
  /** Formats a value; anything that is no valid value stays as it is. */
  format: (value: unknown) => string;
  /** Parses the typed text; undefined if it is no valid value. */
  parse: (text: string) => unknown;
  onChange: (value: unknown) => void;
}

/**
 * Text state for values with several notations. The text stays as typed until the input is left, then shows the
 * formatted value. Text that cannot be parsed is passed on as it is.
 */
export function useTextDraft({ value, format, parse, onChange }: DraftOptions) {
  const [draft, setDraft] = useState<string | null>(null);
  const formattedValue = value === undefined || value === null ? '' : format(value);
  return {
    text: draft ?? formattedValue,
    onText: (text: string) => {
      setDraft(text);
      onChange(text.trim() === '' ? undefined : (parse(text) ?? text));
    },
    onBlur: () => setDraft(null),
  };
}
