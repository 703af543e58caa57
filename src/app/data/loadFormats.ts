import { createPersonalFormats, type FormatChoice } from '../../engine/formats/create-personal-formats';
import type { PersonalFormats } from '../../engine/formats/personal';

/** The formats of a choice; `browser` is the language of this browser. */
export function loadFormats(choice: string): PersonalFormats {
  return createPersonalFormats(choice as FormatChoice, navigator.language);
}
