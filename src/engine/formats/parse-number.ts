/** Both signs in one number say which of them is before decimals: `1.234,5`, `1,234.5`; so does one that comes twice. */
const commaDecimals = /^[+-]?\d{1,3}(?:\.\d{3})+,\d*$|^[+-]?\d{1,3}(?:\.\d{3}){2,}$/;
const pointDecimals = /^[+-]?\d{1,3}(?:,\d{2,3})*,\d{3}\.\d*$|^[+-]?\d{1,3}(?:,\d{3}){2,}$/;

const typedNumber = (text: string) =>
  text
    .trim()
    .replace(/\u2212/g, '-')
    .replace(/[\s'’\u200e\u200f\u061c]/g, '');

/**
 * The sign before decimals in a number that can be read in one way alone; undefined for any other.
 *
 * @example provenDecimalSign('1.234,5'); // ','
 */
export function provenDecimalSign(text: string): '.' | ',' | undefined {
  const typedText = typedNumber(text);
  return commaDecimals.test(typedText) ? ',' : pointDecimals.test(typedText) ? '.' : undefined;
}

/**
 * Whether a number means something else to whoever has the other sign before decimals.
 *
 * @example isAmbiguousNumber('1,234'); // true
 */
export function isAmbiguousNumber(text: string): boolean {
  return /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(typedNumber(text));
}

/**
 * Returns a function that reads typed numbers with these signs before decimals and between thousands. A number that can
 * be read in one way alone is read so, whatever the signs. The function gives undefined for what is no number.
 *
 * @example createNumberParser('.', ',')('1,234.5'); // 1234.5
 */
export function createNumberParser(decimal: string, group: string): (text: string) => number | undefined {
  const [d, g] = [decimal, group].map((sign) => sign.replace(/[.]/g, '\\$&'));
  const plainPattern = new RegExp(`^[+-]?(?:\\d+(?:${d}\\d*)?|${d}\\d+)$`);
  // Groups of three digits; in India of two before the last.
  const groupedPattern = /[.,]/.test(group)
    ? new RegExp(`^[+-]?\\d{1,3}(?:${g}\\d{2,3})*${g}\\d{3}(?:${d}\\d*)?$`)
    : undefined;
  return (text) => {
    const typedText = typedNumber(text);
    if (groupedPattern?.test(typedText)) return Number(typedText.replaceAll(group, '').replace(decimal, '.'));
    if (plainPattern.test(typedText)) return Number(typedText.replace(decimal, '.'));
    if (commaDecimals.test(typedText)) return Number(typedText.replaceAll('.', '').replace(',', '.'));
    if (pointDecimals.test(typedText)) return Number(typedText.replaceAll(',', ''));
    // A single comma or point that is not between thousands is before decimals, whoever types it.
    return /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)$/.test(typedText) ? Number(typedText.replace(',', '.')) : undefined;
  };
}

/** How numbers are read for everybody who chose no formats: as they are shown. */
export const parsePlainNumber = createNumberParser('.', ',');
