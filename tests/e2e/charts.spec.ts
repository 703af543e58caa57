import { expect, expectAccessible, test } from './support/test';

test('charts of a list lead to their records, by pointer and keyboard, in words and numbers, in both themes, on a phone', async ({
  page,
  signIn,
}) => {
  await signIn('owner');
  await page.goto('/tasks?view=list');
  await page.getByRole('button', { name: 'Charts' }).press('Enter');
  const charts = page.getByRole('region', { name: 'Charts of Tasks' });
  const ring = charts.getByRole('img', { name: /^Tasks by status\. .*Completed: \d+/ });
  await expect(ring).toBeVisible();
  await expect(charts.getByRole('img', { name: /^Estimated hours by project\. / })).toBeAttached();
  await expectAccessible(page);

  const drawn = () => ring.evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
  const light = await drawn();
  await page.getByRole('button', { name: 'Switch to dark theme' }).click();
  await expect.poll(drawn).not.toBe(light);

  await charts.getByRole('button', { name: 'Show the numbers of Tasks by status' }).press('Enter');
  await expect(charts.getByRole('table').getByRole('row', { name: /^Completed \d/ })).toBeAttached();
  const status = () => new URL(page.url()).searchParams.get('status_id');
  await charts
    .getByRole('link', { name: /^Completed/ })
    .first()
    .press('Enter');
  await expect.poll(status).toBe('3');
  await expect(page.getByRole('group', { name: 'Filters Applied' })).toContainText('Completed');

  // A part of the ring that is clicked leads to its records.
  await page.goto('/tasks?view=list&status_id=3,4');
  const found = charts.getByRole('img', { name: /^Tasks by status\. Completed: \d+; Cancelled: \d+$/ });
  const { x, y, width, height } = (await found.boundingBox())!;
  const angles = [0, 40, 80, 120, 160, 200, 240, 280, 320];
  await expect
    .poll(async () => {
      // Between two parts there is a gap.
      const angle = ((angles.shift() ?? 0) * Math.PI) / 180;
      const reach = height * 0.42;
      await page.mouse.click(x + width / 2 + reach * Math.cos(angle), y + height / 2 + reach * Math.sin(angle));
      return status();
    })
    .toMatch(/^[34]$/);

  await page.setViewportSize({ width: 390, height: 800 });
  await expect(charts).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
