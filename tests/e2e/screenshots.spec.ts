import { expect, test, title } from './support/test';

const screens = [
  { name: 'dashboard', path: '/dashboard' },
  { name: 'clients', path: '/clients?view=cards' },
  { name: 'projects', path: '/projects' },
  { name: 'client', path: '/clients/1' },
  { name: 'role', path: '/roles/5' },
];
const looks = [
  { look: 'light', colorScheme: 'light', size: { width: 1440, height: 900 } },
  { look: 'dark', colorScheme: 'dark', size: { width: 1440, height: 900 } },
  { look: 'phone', colorScheme: 'light', size: { width: 390, height: 844 } },
] as const;

for (const { look, colorScheme, size } of looks) {
  for (const { name, path } of screens) {
    test(`a picture of ${name}, ${look}`, async ({ page, signIn }) => {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await signIn('owner');
      await page.goto(path);
      await expect(title(page)).not.toBeEmpty();
      await expect(page.locator('.skeleton, .grant-tree-waiting')).toHaveCount(0);
      await expect(page.getByRole('progressbar')).toHaveCount(0);
      await page.screenshot({ path: `docs/screenshots/${name}-${look}.jpg`, type: 'jpeg', quality: 75 });
    });
  }
}
