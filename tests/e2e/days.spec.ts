import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, test } from './support/test';

/** Drags from the middle of one element to the middle of another. */
async function drag(page: Page, from: Locator, to: Locator) {
  const [start, end] = [(await from.boundingBox())!, (await to.boundingBox())!];
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(start.x + start.width / 2 + 8, start.y + start.height / 2, { steps: 2 });
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 5 });
  await page.mouse.up();
}

test('a task is dragged to other days in the calendar and in the timeline, and taken back', async ({
  page,
  signIn,
  api,
}) => {
  const owner = await api('owner');
  const like = await owner.send<{ data: Record<string, unknown>[] }>('GET', '/tasks?range=[0,0]');
  const { project_id, project_module_id, assigned_to } = like.body.data[0]!;
  const name = `Moved over its days ${Date.now()}`;
  const made = await owner.send<{ data: { id: number } }>('POST', '/tasks', {
    ...{ name, project_id, project_module_id, assigned_to, status_id: 1, priority_id: 1 },
    ...{ description: 'Days', start_date: '2031-03-04', end_date: '2031-03-05' },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { id } = made.body.data;
  const stored = async () => {
    const { body } = await owner.send<{ data: Record<string, unknown> }>('GET', `/tasks/${id}`);
    return [body.data.start_date, body.data.end_date];
  };
  await signIn('owner');
  await page.goto(`/tasks?view=calendar&shown=2031-03-01&q=${encodeURIComponent(name)}`);
  const bar = page.locator(`[data-bar="${id}"]`);
  await expect(bar).toHaveCount(1);
  await expectAccessible(page);
  const day = (date: string) => page.locator(`[role=cell][data-date="${date}"]`);

  // The bar is gripped in its middle, which is the border of its two days: it is put down on another week's same border.
  const cell = async (date: string) => (await day(date).boundingBox())!;
  const box = (await bar.boundingBox())!;
  const target = await cell('2031-03-12');
  await page.mouse.move(box.x + 30, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 45, box.y + box.height / 2, { steps: 3 });
  await page.mouse.move(target.x + target.width / 2, target.y + target.height - 10, { steps: 5 });
  await page.mouse.up();
  await expect(bar).toContainText('12 – 13 Mar 2031');
  await expect.poll(stored).toEqual(['2031-03-12', '2031-03-13']);
  // The click that ends a drag opens nothing.
  await expect(page).toHaveURL(/view=calendar/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(bar).toContainText('4 – 5 Mar 2031');
  await expect.poll(stored).toEqual(['2031-03-04', '2031-03-05']);

  // A handle changes one end alone.
  await bar.hover();
  await drag(page, bar.locator('[data-grip="end"]'), day('2031-03-07'));
  await expect.poll(stored).toEqual(['2031-03-04', '2031-03-07']);

  // Put beside the days it has none, and a day from there.
  const panel = page.getByRole('region', { name: 'Without dates' });
  await expect(panel).toHaveCount(0);
  const from = (await bar.boundingBox())!;
  await page.mouse.move(from.x + 30, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(from.x + 45, from.y + from.height / 2, { steps: 3 });
  const out = (await page.locator('[data-without-days]').boundingBox())!;
  await page.mouse.move(out.x + out.width / 2, out.y + out.height / 2, { steps: 5 });
  await page.mouse.up();
  await expect.poll(stored).toEqual([null, null]);
  await expect(bar).toHaveCount(0);
  await expect(panel.getByRole('link', { name })).toBeVisible();
  await expectAccessible(page);
  await drag(page, panel.locator(`[data-undated="${id}"]`), day('2031-03-18'));
  await expect.poll(stored).toEqual(['2031-03-18', '2031-03-18']);
  await page.locator('.MuiSnackbar-root', { hasText: '18 Mar 2031' }).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(stored).toEqual([null, null]);
  await expect(panel.getByRole('link', { name })).toBeVisible();
  const again = { start_date: '2031-03-04', end_date: '2031-03-07' };
  expect((await owner.send('PUT', `/tasks/${id}`, again)).status).toBeLessThan(300);
  await expect(panel).toHaveCount(0);

  // Keys move it at once, one after the other, and the focus goes with it.
  await bar.focus();
  await page.keyboard.press('Alt+ArrowRight');
  await page.keyboard.press('Alt+ArrowRight');
  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(stored).toEqual(['2031-03-05', '2031-03-08']);
  await expect(bar).toBeFocused();
  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(stored).toEqual(['2031-03-04', '2031-03-07']);
  await expect(bar).toBeFocused();

  // The timeline of the same list, at the same days.
  await page.getByRole('button', { name: 'Timeline', exact: true }).click();
  await expect(page).toHaveURL(/view=timeline/);
  await expect(bar).toHaveCount(1);
  await expectAccessible(page);
  const width = (await bar.boundingBox())!.width / 4;
  const at = (await bar.boundingBox())!;
  await page.mouse.move(at.x + width / 2, at.y + 12);
  await page.mouse.down();
  await page.mouse.move(at.x + width, at.y + 12, { steps: 3 });
  await page.mouse.move(at.x + width * 2.5, at.y + 12, { steps: 3 });
  await page.mouse.up();
  await expect.poll(stored).toEqual(['2031-03-06', '2031-03-09']);
  await bar.focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(stored).toEqual(['2031-03-06', '2031-03-08']);
  await expect(bar).toBeFocused();

  // Enter opens the record; Back shows the same days again.
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/tasks/${id}`));
  await page.goBack();
  await expect(page).toHaveURL(/view=timeline/);
  await expect(bar).toBeVisible();
});
