import { expect, test, title } from './support/test';

/** A window of 1,440 × 900 px at 200 %. */
const zoomed = { width: 720, height: 450 };

test('a run is read and its tests are run in a window at 200 %, and at 1,024 px its tests begin in view', async ({
  page,
  signIn,
  api,
}) => {
  const owner = await api('owner');
  const filter = encodeURIComponent(JSON.stringify({ state: 'open' }));
  const runs = await owner.send<{ data: { id: number; source: string }[] }>('GET', `/test-runs?filter=${filter}`);
  const run = runs.body.data.find(({ source }) => source !== 'machines')!;
  await signIn('owner');
  await page.setViewportSize(zoomed);
  await page.goto(`/test-runs/${run.id}/overview`);
  await expect(page.getByRole('region', { name: 'Results' })).toBeVisible();
  expect((await title(page).boundingBox())!.width).toBeGreaterThan(200);
  await expect(page.getByRole('button', { name: /profile menu/ })).toBeInViewport({ ratio: 1 });

  await page.setViewportSize({ width: 1024, height: 768 });
  expect((await title(page).boundingBox())!.width).toBeGreaterThan(200);
  expect((await page.getByRole('columnheader', { name: 'Result', exact: true }).boundingBox())!.y).toBeLessThan(620);

  // Its whole title is shown, in two lines if need be.
  for (const width of [768, 1024]) {
    await page.setViewportSize({ width, height: 768 });
    const isCut = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element) =>
      scrollWidth > clientWidth || scrollHeight > clientHeight;
    expect(await title(page).evaluate(isCut), `${width} px`).toBe(false);
  }

  await page.setViewportSize(zoomed);
  await page.goto(`/test-runs/${run.id}/run`);
  const save = page.getByRole('button', { name: 'Save and next' });
  await expect(save).toBeInViewport({ ratio: 1 });
  // What has the focus is not beneath it.
  const comment = page.getByRole('textbox', { name: 'Comment' });
  await comment.focus();
  await expect(comment).toBeInViewport({ ratio: 0.9 });
});
