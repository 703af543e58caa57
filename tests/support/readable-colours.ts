import { colour, type ColourName, type Scheme } from '../../src/app/theme/tokens';

export const schemes: readonly Scheme[] = ['light', 'dark'];

const onPages = ['canvas', 'surface', 'raised', 'sunken', 'hover'] as const;

/** The colours that texts have, each with the grounds that it lies on: at least 4.5:1 in every scheme. */
export const readable: readonly (readonly [text: ColourName, grounds: readonly ColourName[]])[] = [
  ['t1', [...onPages, 'tint', 'tint-2', 'neutral-bg']],
  ['t2', [...onPages, 'tint', 'neutral-bg']],
  ['t3', onPages],
  ['accent-text', [...onPages, 'tint']],
  ['accent-ink', ['tint', 'tint-2']],
  ['urgent-t', ['urgent-bg', 'surface', 'raised']],
  ['high-t', ['high-bg']],
  ['medium-t', ['medium-bg']],
  ['low-t', ['low-bg', 'surface']],
  ['neutral-t', [...onPages, 'tint', 'neutral-bg']],
  ['violet-t', ['violet-bg']],
  ['teal-t', ['teal-bg']],
  ['on-accent', ['accent', 'accent-hover', 'danger', 'danger-hover']],
];

/** The contrast of two opaque colours, given as #RRGGBB, after WCAG. */
export function contrast(one: string, other: string): number {
  const [bright, dim] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (bright! + 0.05) / (dim! + 0.05);
}

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

const texts = readable.map(([text]) => text);
const grounds = new Set(readable.flatMap(([, names]) => names));
const named = (names: Iterable<ColourName>, hex: string) =>
  [...names].filter((name) => colour(name, 'light').toLowerCase() === hex.toLowerCase());

/**
 * Whether two colours of the light scheme, such as `#1a2330 #ffffff`, are a text and a ground of the table, and so readable
 * in every scheme. Where two colours look alike in the light scheme, each of them has to be.
 */
export function isReadable(pair: string): boolean {
  const [text = '', ground = ''] = pair.split(' ');
  const [ofText, ofGround] = [named(texts, text), named(grounds, ground)];
  const isListed = (one: ColourName, other: ColourName) =>
    readable.some(([name, names]) => name === one && names.includes(other));
  return (
    ofText.length > 0 && ofGround.length > 0 && ofText.every((one) => ofGround.every((other) => isListed(one, other)))
  );
}
