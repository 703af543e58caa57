import { useState } from 'react';
import type { InputFacets, InputProps } from '../fieldType';
import { TextBox } from '../TextBox';
import * as styles from '../fields.module.css';

/** Any JSON value, as text. Invalid JSON is reported below the box and not passed on. */
function Input({ value, onChange, onProblem, ...props }: InputProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const storedText = value === undefined || value === null ? '' : JSON.stringify(value, null, 2);
  const type = (text: string) => {
    setDraft(text);
    if (text.trim() === '') {
      onProblem?.(undefined);
      onChange(undefined);
      return;
    }
    try {
      onChange(JSON.parse(text));
      onProblem?.(undefined);
    } catch (error) {
      onProblem?.(`${props.field.label} is not valid JSON: ${(error as Error).message}`);
    }
  };
  const leave = () => setDraft((text) => (text === null || isJson(text) ? null : text));
  return (
    <TextBox {...props} className={styles.code} lines={6} text={draft ?? storedText} onText={type} onBlur={leave} />
  );
}

function isJson(text: string): boolean {
  if (text.trim() === '') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export default { Input } satisfies InputFacets;
