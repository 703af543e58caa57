import { resolve } from 'node:path';
import { format } from 'oxfmt';
import { describe, expect, it } from 'vitest';
import { colour, tokensCss } from '../../../src/app/theme/tokens';
import { contrast, readable, schemes } from '../../support/readable-colours';

describe('tokens', () => {
  it('keeps tokens.css in step with tokens.ts', async () => {
    const file = resolve(import.meta.dirname, '../../../src/app/theme/tokens.css');
    const { code } = await format(file, tokensCss(), { printWidth: 120, singleQuote: true });
    await expect(code).toMatchFileSnapshot(file);
  });

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
