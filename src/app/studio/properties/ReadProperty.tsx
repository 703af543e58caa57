import { useState } from 'react';
import { formatJson } from '../../../engine/studio/format-source';
import { TextInput } from './TextInput';
import type { PropertyProps } from './TextProperty';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';

interface ReadPropertyProps extends PropertyProps {
  /** A value as text. */
  write: (value: unknown) => string;
  /** The value of a text; undefined for one that says none. */
  read: (text: string) => unknown;
  /** The message for a text that cannot be read as a value. */
  fault: string;
  /** Whether it cannot be without a value: the last one stays. */
  isNeeded?: boolean;
  maxLines?: number;
  className?: string;
}

/** A value at a place of the draft that is typed in its own notation, and applied whenever the text can be read. */
function ReadProperty({ pointer, write, read, fault, isNeeded = false, ...words }: ReadPropertyProps) {
  const { value, set, error, hint } = useDraftValue(pointer);
  const storedText = value === undefined ? '' : write(value);
  // A text that cannot be read yet, or says the value in other words.
  const [typedText, setTypedText] = useState<{ text: string; storedText: string } | null>(null);
  const text = typedText?.storedText === storedText ? typedText.text : storedText;
  const isReadable = (candidate: string) => (candidate.trim() === '' ? !isNeeded : read(candidate) !== undefined);
  const change = (next: string) => {
    if (!isReadable(next)) return setTypedText({ text: next, storedText });
    const result = next.trim() === '' ? undefined : read(next);
    set(result);
    setTypedText({ text: next, storedText: result === undefined ? '' : write(result) });
  };
  return (
    <TextInput {...{ ...words, hint }} isCode error={isReadable(text) ? error : fault} value={text} onChange={change} />
  );
}

/** A value edited as JSON, for what has no inputs of its own. */
export function JsonProperty(props: PropertyProps) {
  return (
    <ReadProperty
      {...props}
      write={formatJson}
      read={readJson}
      fault="This is not valid JSON."
      maxLines={12}
      className={styles.studioJson}
    />
  );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A width: pixels as a number, or a share such as `80%`. */
export function WidthProperty({ isRequired, ...props }: PropertyProps & { isRequired: boolean }) {
  return (
    <ReadProperty
      {...props}
      write={String}
      read={readWidth}
      isNeeded={isRequired}
      fault="A width is a number of pixels, such as 640, or a share, such as 80%."
    />
  );
}

function readWidth(text: string): string | number | undefined {
  const [, share, pixels] = /^\s*(?:(\d{1,3}%)|(\d{1,4})\s*(?:px)?)\s*$/.exec(text) ?? [];
  return share ?? (pixels === undefined ? undefined : Number(pixels));
}
