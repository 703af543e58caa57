import { firstOf } from '../../engine/values/lookups';
/** The first letters of a name's first and last word: "Ada King Lovelace" is AL. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words[words.length - 1]] : words.slice(0, 1);
  return letters.map((word) => firstOf([...word!]).toUpperCase()).join('');
}

const hues = 6;

/** A number from 1 to 6, always the same for the same text: selects the tint of a person or record. */
export function hueOf(text: string): number {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + character.codePointAt(0)!) % 9973;
  return (sum % hues) + 1;
}
