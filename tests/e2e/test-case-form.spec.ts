import { choose } from './support/steps';
import { expect, expectAccessible, expectToast, test, title } from './support/test';

interface StoredCase {
  name: string;
  project: { name: string };
  priority: { option_name: string } | null;
  steps: { action: string; expected: string }[];
}

test('a test case with three steps takes at most 14 keys beside its text, from the list on', async ({
  page,
  signIn,
  api,
}) => {
  const qa = await api('qa');
  await signIn('qa');
  await page.setViewportSize({ width: 1440, height: 900 });
  // The first one says where the next ones belong.
  await page.goto('/test-cases/create');
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused();
  await page.keyboard.type('First case of the morning');
  await choose(page, 'Project', 'Claims Self Service');
  await choose(page, 'Priority', 'High');
  await page.keyboard.press('Control+Enter');
  await expectToast(page, 'Added Successfully');
  await page.goto('/test-cases');
  await expect(page.getByRole('grid').getByRole('row').nth(1)).toBeVisible();

  let pressed = 0;
  const press = async (name: string) => {
    pressed += name.split('+').length;
    await page.keyboard.press(name);
  };
  const write = (text: string) => page.keyboard.type(text);
  await press('n');
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused();
  await expect(page.getByRole('combobox', { name: 'Project' })).toHaveValue('Claims Self Service');
  await write('Voucher is taken once');
  await press('Tab');
  await expect(page.getByRole('textbox', { name: 'Pre-conditions' })).toBeFocused();
  await write('A basket with one item');
  await press('Tab');
  const steps = [
    ['Enter the voucher', 'The total is lower'],
    ['Enter it again', 'It is refused'],
    ['Remove it', 'The total is as before'],
  ] as const;
  for (const [index, [action, expected]] of steps.entries()) {
    await expect(page.getByRole('textbox', { name: `Action, row ${index + 1}` })).toBeFocused();
    await write(action);
    await press('Tab');
    await press('Tab');
    await expect(page.getByRole('textbox', { name: `Expected, row ${index + 1}` })).toBeFocused();
    await write(expected);
    if (index < 2) await press('Enter');
  }
  await press('Control+Enter');
  await expectToast(page, 'Added Successfully');
  test.info().annotations.push({ type: 'keys', description: String(pressed) });
  expect(pressed).toBeLessThanOrEqual(14);

  const foundCases = await qa.send<{ data: { id: number }[] }>('GET', '/test-cases?q=Voucher%20is%20taken%20once');
  const storedCase = await qa.send<{ data: StoredCase }>('GET', `/test-cases/${foundCases.body.data[0]!.id}`);
  expect(storedCase.body.data).toMatchObject({
    name: 'Voucher is taken once',
    project: { name: 'Claims Self Service' },
    priority: { option_name: 'High' },
    steps: steps.map(([action, expected]) => ({ action, expected })),
  });
});

test('the form of a test case fits its window, folds what is rarely needed, and goes on with the next one', async ({
  page,
  signIn,
}) => {
  await signIn('qa');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/test-cases/create');
  await expect(title(page)).toHaveText('Add New Testcase');
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeInViewport({ ratio: 1 });
  const scrolled = () =>
    page.evaluate(() => document.scrollingElement!.scrollHeight - document.scrollingElement!.clientHeight);
  expect(await scrolled()).toBe(0);
  await expectAccessible(page);

  // Every field of the form is there, or one button away.
  const properties = page.getByRole('region', { name: 'Properties' });
  for (const label of ['Project', 'Module', 'Sub Module', 'Priority', 'Type', 'Task', 'Action', 'Device Type'])
    await expect(properties.getByRole('combobox', { name: label, exact: true })).toBeVisible();
  const more = page.getByRole('group', { name: 'Steps: more fields' });
  for (const label of ['Description', 'Test Data', 'Steps To Reproduce', 'Expected Result']) {
    await expect(page.getByRole('textbox', { name: label, exact: true })).toHaveCount(0);
    await more.getByRole('button', { name: label, exact: true }).click();
    await expect(page.getByRole('textbox', { name: label, exact: true })).toBeFocused();
  }
  await expect(more).toHaveCount(0);
  const result = page.getByRole('region', { name: 'Result and assignment' });
  await expect(result.getByRole('combobox')).toHaveCount(0);
  await result.getByRole('button', { name: /^Result and assignment/ }).click();
  for (const label of ['Result', 'Status', 'Assigned To'])
    await expect(result.getByRole('combobox', { name: label, exact: true })).toBeVisible();
  for (const label of ['Actual Result', 'Video URL'])
    await expect(result.getByRole('textbox', { name: label, exact: true })).toBeVisible();
  await expectAccessible(page);

  // A fault in a folded part opens it.
  await result.getByRole('textbox', { name: 'Video URL' }).fill('no address');
  await result.getByRole('button', { name: /^Result and assignment/ }).click();
  await expect(result.getByRole('textbox', { name: 'Video URL' })).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Title' }).fill('Folded, and faulty');
  await choose(page, 'Project', 'Claims Self Service');
  await page.getByRole('button', { name: 'Save and add another' }).click();
  await expect(result.getByRole('textbox', { name: 'Video URL' })).toBeFocused();
  await result.getByRole('textbox', { name: 'Video URL' }).fill('');

  await page.keyboard.press('Control+Shift+Enter');
  await expectToast(page, 'Added Successfully');
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('');
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused();
  await expect(page.getByRole('combobox', { name: 'Project' })).toHaveValue('Claims Self Service');
  await expect(page).toHaveURL(/\/test-cases\/create$/);
});

test('steps are written as text where that is chosen, and the phone folds the properties', async ({ page, signIn }) => {
  await signIn('qa');
  await page.goto('/test-cases/create');
  await page.getByRole('button', { name: 'Write as text' }).click();
  await expect(page.getByRole('textbox', { name: 'Steps To Reproduce' })).toBeFocused();
  await expect(page.getByRole('button', { name: 'Action, row 1' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Write in steps' }).click();
  await expect(page.getByRole('button', { name: 'Add row' })).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  const properties = page.getByRole('region', { name: 'Properties' });
  // The project is still needed, so that they are open.
  await choose(page, 'Project', 'Claims Self Service');
  await properties.getByRole('button', { name: /^Properties/ }).click();
  await expect(properties.getByRole('combobox')).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('region')).toHaveText([
    ...[/^Test Case/, /^Properties/, /^Steps/, /^Result and assignment/],
  ]);
  const [purpose, fold, steps] = await Promise.all(
    ['Test Case', 'Properties', 'Steps'].map((name) => page.getByRole('region', { name, exact: true }).boundingBox()),
  );
  expect(fold!.y).toBeGreaterThanOrEqual(purpose!.y + purpose!.height);
  expect(steps!.y).toBeGreaterThanOrEqual(fold!.y + fold!.height);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectAccessible(page);
});

test('an upload goes on while the window becomes narrow, and what is folded says what it holds', async ({
  page,
  signIn,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn('qa');
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/api/test-cases/files?*', async (route) => {
    await arrival;
    await route.continue();
  });
  await page.goto('/test-cases/create');
  await choose(page, 'Priority', 'High');
  await page
    .getByRole('region', { name: 'Properties' })
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'slow.txt', mimeType: 'text/plain', buffer: Buffer.from('slow') });
  await expect(page.getByRole('progressbar', { name: 'Uploading slow.txt' })).toBeVisible();
  await page.setViewportSize({ width: 1000, height: 900 });
  const fold = page.getByRole('button', { name: /^Properties/ });
  await expect(fold).toBeVisible();
  arrive();
  await expect(page.getByRole('button', { name: 'Remove slow.txt' })).toBeVisible();
  await fold.click();
  await expect(fold).toContainText('Priority: High');
  await expect(page.getByRole('button', { name: /^Result and assignment/ })).toContainText(
    'Result: Not run · Assigned To: Unassigned',
  );
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(page.getByRole('button', { name: 'Remove slow.txt' })).toBeVisible();
});
