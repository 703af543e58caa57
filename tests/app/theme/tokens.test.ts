import { resolve } from 'node:path';
import { format } from 'oxfmt';
import { describe, expect, it } from 'vitest';
import { colour, tokensCss, type ColourName, type Scheme } from '../../../src/app/theme/tokens';

const schemes: Scheme[] = ['light', 'dark'];

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(one: string, other: string): number {
  const [bright, dim] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (bright! + 0.05) / (dim! + 0.05);
}

describe('tokens', () => {
  it('keeps tokens.css in step with tokens.ts', async () => {
    const file = resolve(import.meta.dirname, '../../../src/app/theme/tokens.css');
    const { code } = await format(file, tokensCss(), { printWidth: 120, singleQuote: true });
    await expect(code).toMatchFileSnapshot(file);
  });

  const onPages: ColourName[] = ['canvas', 'surface', 'raised', 'sunken', 'hover'];
  const readable: [text: ColourName, grounds: ColourName[]][] = [
    ['t1', [...onPages, 'tint', 'tint-2', 'neutral-bg']],
    ['t2', [...onPages, 'tint']],
    ['t3', onPages],
    ['accent-text', [...onPages, 'tint']],
    ['accent-ink', ['tint', 'tint-2']],
    ['urgent-t', ['urgent-bg', 'surface', 'raised']],
    ['high-t', ['high-bg']],
    ['medium-t', ['medium-bg']],
    ['low-t', ['low-bg', 'surface']],
    ['neutral-t', ['neutral-bg']],
    ['violet-t', ['violet-bg']],
    ['teal-t', ['teal-bg']],
    ['on-accent', ['accent', 'accent-hover', 'danger', 'danger-hover']],
  ];
  it.each(schemes.flatMap((scheme) => readable.map(([text, grounds]) => ({ scheme, text, grounds }))))(
    'reads $text on its grounds in the $scheme scheme (4.5:1)',
    ({ scheme, text, grounds }) => {
      const poor = grounds.filter((ground) => contrast(colour(text, scheme), colour(ground, scheme)) < 4.5);
      expect(poor).toEqual([]);
    },
  );

  it.each(schemes)('shows the edges of inputs and the focus in the %s scheme (3:1)', (scheme) => {
    for (const edge of ['control', 'accent-line'] as const)
      expect(contrast(colour(edge, scheme), colour('surface', scheme))).toBeGreaterThanOrEqual(3);
  });
});
