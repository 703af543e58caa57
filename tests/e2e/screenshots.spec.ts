import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './support/test';

const folder = process.env.SCREENSHOTS ?? 'test-results/screenshots';
const screens = [
  { name: 'clients', path: '/clients', view: 'cards' },
  { name: 'projects', path: '/projects', view: 'list' },
  { name: 'client-form', path: '/clients/1', view: 'list' },
];

for (const theme of ['light', 'dark'] as const) {
  for (const { name, path, view } of screens) {
    test(`a picture of ${name}, ${theme}`, async ({ page, signIn }) => {
      mkdirSync(folder, { recursive: true });
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await signIn('owner');
      await page.goto(path);
      if (view === 'cards')
        await page
          .getByRole('button', { name: 'Cards' })
          .or(page.getByRole('radio', { name: 'Cards' }))
          .click();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: join(folder, `${name}-${theme}.jpg`), type: 'jpeg', quality: 82 });
    });
  }
}
