import { firstOf, lastOf } from '../../engine/values/lookups';
/** The first letters of a name's first and last word: "Ada King Lovelace" is AL. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const namingWords = words.length > 1 ? [firstOf(words), lastOf(words)] : words;
  return namingWords.map((word) => firstOf([...word]).toUpperCase()).join('');
}

const hues = 6;

/** A number from 1 to 6, always the same for the same text: selects the tint of a person or record. */
export function hueOf(text: string): number {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + character.codePointAt(0)!) % 9973;
  return (sum % hues) + 1;
}
