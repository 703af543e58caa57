import type { KeyDescription } from '../../../engine/studio/part-keys';

/** The properties of an input that was made for a key. */
export interface SpecialInputProps {
  /** JSON pointer of the key. */
  pointer: string;
  label: string;
  placeholder?: string;
  isRequired: boolean;
  /** The name of the entry whose value this is. */
  entry: string;
  description: KeyDescription;
}
