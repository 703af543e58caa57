import { expect, expectAccessible, test, title } from './support/test';

test.use({ alsoExpected: /422/ });

test('cells of a list are edited in place by keys and by mouse, taken back, and say why they were not', async ({
  page,
  signIn,
  api,
}) => {
  const owner = await api('owner');
  const like = await owner.send<{ data: Record<string, unknown>[] }>('GET', '/test-cases?range=[0,0]');
  const { project_id, project_module, assigned_to } = like.body.data[0]!;
  const name = `Edited in its cells ${Date.now()}`;
  const values = { name, project_id, project_module, assigned_to, status_id: 2, priority_id: 3 };
  const made = await owner.send('POST', '/test-cases', values);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  await signIn('owner');
  await page.goto(`/test-cases?q=${encodeURIComponent(name)}`);
  const grid = page.getByRole('grid');
  const row = grid.getByRole('row').filter({ hasText: name });
  const cell = row.locator('[data-field=priority_id]');
  await expect(cell).not.toBeEmpty();
  const before = (await cell.textContent())!;
  const [first, second] = ['Urgent', 'Low'];
  expect([first, second]).not.toContain(before);
  const editor = page.getByRole('dialog', { name: /^Priority of/ });

  // Enter opens the cell, typing finds a choice, Enter stores it; the cell has the focus again.
  await cell.focus();
  await page.keyboard.press('Enter');
  await expect(editor.getByRole('option').first()).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.type(first.slice(0, 3));
  await expect(editor.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(cell).toHaveText(first);
  await expect(page.getByText(new RegExp(`^Priority of .* set to ${first}`))).toBeVisible();
  await expect(cell).toBeFocused();

  // Ctrl+Z takes it back, once.
  await page.keyboard.press('Control+z');
  await expect(cell).toHaveText(before);
  await page.reload();
  await expect(cell).toHaveText(before);

  // A click opens the cell and not the record; Escape leaves it as it is.
  await cell.click();
  await expect(editor).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(editor).toBeHidden();
  await expect(title(page)).toHaveText('Test Cases');

  // What the server refuses is shown as it was, with the reason. Until its answer arrives, the new value is shown.
  let answer = () => {};
  const answered = new Promise<void>((done) => (answer = done));
  await page.route('**/api/test-cases/*', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    await answered;
    const json = { code: 'VALIDATION_FAILED', message: 'Refused.', errors: { priority_id: 'Only today not.' } };
    await route.fulfill({ status: 422, json });
  });
  await cell.click();
  await editor.getByRole('option', { name: second }).click();
  await expect(cell).toHaveText(second);
  answer();
  await expect(cell).toHaveText(before);
  await expect(page.getByText(/was not changed: Only today not\./)).toBeVisible();
  await page.unroute('**/api/test-cases/*');

  // `s` sets the state of the row in focus, wherever in it the focus is.
  await row.locator('[data-field=name]').focus();
  await page.keyboard.press('s');
  await expect(page.getByRole('dialog', { name: /^Status of/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
});
