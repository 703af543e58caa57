import { type Locator, type Page } from '@playwright/test';
import { answerQuestion, choose, fill, row, runAction, save } from './support/steps';
import { expect, expectAccessible, expectToast, test, title, type ApiCaller } from './support/test';

interface TestCase {
  id: number;
  name: string;
  project_id: number;
  project_module: number;
  project_sub_module: number;
  assigned_to: number;
  sharable_link: string | null;
}
type Named = Record<'project' | 'module' | 'sub_module' | 'assign', { name: string }>;

/** A minimal picture. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** The newest test case with a sub-module of the demo data; its project, modules and users match. */
async function wellPlaced(caller: ApiCaller): Promise<TestCase & Named> {
  const { body } = await caller.send<{ data: (TestCase & Named)[] }>('GET', '/test-cases?range=[0,199]');
  return body.data.find(({ project_sub_module, assigned_to }) => project_sub_module && assigned_to)!;
}

async function newCase(caller: ApiCaller, values: Record<string, unknown>): Promise<TestCase> {
  const { project_id, project_module, project_sub_module, assigned_to } = await wellPlaced(caller);
  const like = { project_id, project_module, project_sub_module, assigned_to, status_id: 2, priority_id: 3 };
  const made = await caller.send<{ data: TestCase }>('POST', '/test-cases', { ...like, ...values });
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
  return made.body.data;
}

async function totalOf(caller: ApiCaller, filter: object): Promise<number> {
  const path = `/test-cases?range=[0,0]&filter=${encodeURIComponent(JSON.stringify(filter))}`;
  return Number((await caller.send('GET', path)).headers.get('content-range')!.split('/')[1]);
}

/** The box around a picture's input. */
const pictureBox = (page: Page) => page.locator('.picture');

/** Pastes a file into a field as the browser does. */
async function paste(into: Locator, name: string): Promise<void> {
  await into.evaluate(
    (box, { bytes, name: file }) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0))], file, { type: 'image/png' }));
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    },
    { bytes: picture.toString('base64'), name },
  );
}

test('the tabs count open and closed test cases, also with filters', async ({ page, signIn, api }) => {
  const owner = await api('owner');
  const placed = await wellPlaced(owner);
  await newCase(owner, { name: 'Counted while open' });
  await signIn('owner');
  await page.goto('/test-cases');
  const tab = (word: string) => page.getByRole('tab', { name: new RegExp(`^${word} Test Cases`) });
  await expect(tab('Open')).toHaveAttribute('aria-selected', 'true');
  await expect(tab('Open')).toHaveText(/^Open Test Cases \(\d+\)$/);
  await expect(tab('Closed')).toHaveText(`Closed Test Cases (${await totalOf(owner, { status: 'close' })})`);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  const filters = page.getByRole('dialog', { name: 'Filters' });
  await expect(filters).toHaveCSS('width', '400px');
  const asked = [
    ['Project', 'project'],
    ['Module', 'module'],
    ['Sub Module', 'sub_module'],
    ['Assigned To', 'assign'],
  ] as const;
  for (const [label, embed] of asked) await choose(filters, label, placed[embed].name);
  const status = filters.getByRole('combobox', { name: 'Status' });
  await status.fill('Assign To Developer');
  await page.getByRole('option', { name: 'Assign To Developer' }).click();
  await filters.getByRole('textbox', { name: 'Created from' }).fill('1-Jan-2020');
  await filters.getByRole('textbox', { name: 'Created to' }).fill('1-Jan-2099');
  await filters.getByRole('textbox', { name: 'Created to' }).blur();
  await expectAccessible(page);
  await filters.getByRole('button', { name: 'Apply' }).click();

  const chips = page.getByRole('group', { name: 'Filters Applied' });
  for (const [label, embed] of asked) await expect(chips).toContainText(`${label}: ${placed[embed].name}`);
  await expect(chips).toContainText('Status: Assign To Developer');
  await expect(chips).toContainText('Created');
  await expect(row(page, 'Counted while open')).toBeVisible();
  const { project_id, project_module, project_sub_module, assigned_to } = placed;
  const same = { project_id, project_module, project_sub_module, assigned_to, status_id: 2 };
  await expect(tab('Open')).toHaveText(`Open Test Cases (${await totalOf(owner, { ...same, status: 'open' })})`);
  await expect(tab('Closed')).toHaveText('Closed Test Cases (0)');
  await chips.getByRole('button', { name: 'Remove filter Status' }).click();
  await expect(chips).not.toContainText('Status');
  await tab('Closed').click();
  await expect(page).toHaveURL(/tab=closed/);
  await expect(row(page, 'Counted while open')).toBeHidden();
  await chips.getByRole('button', { name: 'Clear all' }).click();
  await expect(tab('Closed')).toHaveText(`Closed Test Cases (${await totalOf(owner, { status: 'close' })})`);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download Excel' }).click();
  expect((await download).suggestedFilename()).toBe('close_test_cases.xlsx');
});

test('a test case is added with a screenshot, edited, commented on, copied and viewed', async ({
  page,
  signIn,
  api,
}) => {
  const owner = await api('owner');
  const placed = await wellPlaced(owner);
  await signIn('owner');
  await page.goto('/test-cases');
  await page.getByRole('link', { name: 'Add Testcase' }).click();
  await expect(title(page)).toHaveText('Add New Testcase');
  await fill(page, 'Title', 'Refund reaches the card');
  await expect(page.getByRole('combobox', { name: 'Module', exact: true })).toBeDisabled();
  await expect(page.getByRole('combobox', { name: 'Sub Module', exact: true })).toBeDisabled();
  await choose(page, 'Project', placed.project.name);
  await choose(page, 'Module', placed.module.name);
  await choose(page, 'Sub Module', placed.sub_module.name);

  const more = page.getByRole('group', { name: 'Steps: more fields' });
  await more.getByRole('button', { name: 'Description' }).click();
  const description = page.getByRole('textbox', { name: 'Description' });
  await description.click();
  await page.locator('[data-field=description]').getByRole('button', { name: 'Bold' }).click();
  await page.keyboard.type('Twice');
  await expect(description.locator('strong')).toHaveText('Twice');
  await more.getByRole('button', { name: 'Steps To Reproduce' }).click();
  await fill(page, 'Steps To Reproduce', 'Open the order\nPress Refund');
  await page.getByRole('button', { name: /^Result and assignment/ }).click();
  await fill(page, 'Video URL', 'no address');
  await save(page);
  await expect(page.getByText('Invalid Url')).toBeVisible();
  await fill(page, 'Video URL', 'https://video.example/7');

  const file = page.locator('#field_screenshot');
  await file.setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) });
  await expect(page.getByText('Screenshot must be at most 5 MB.').first()).toBeVisible();
  await file.setInputFiles({ name: 'order.png', mimeType: 'image/png', buffer: picture });
  await expect(page.getByText('Screenshot must be at most 5 MB.')).toHaveCount(0);
  await expect(pictureBox(page)).toContainText('order.png');
  await pictureBox(page).getByRole('button', { name: 'Remove' }).click();
  await paste(pictureBox(page), 'pasted.png');
  await expect(pictureBox(page)).toContainText('pasted.png');
  await expect(pictureBox(page).locator('img')).toHaveJSProperty('naturalWidth', 1);
  await save(page);
  await expectToast(page, 'Added Successfully');
  await page.goto('/test-cases?q=Refund reaches');
  await expect(row(page, 'Refund reaches the card')).toBeVisible();

  await runAction(page, 'Refund reaches the card', 'Edit');
  await expect(title(page)).toHaveText('Edit Testcase Refund reaches the card');
  await expect(pictureBox(page).locator('img')).toHaveJSProperty('naturalWidth', 1);
  await expect(page.getByRole('link', { name: 'Open pasted.png' })).toBeVisible();
  await more.getByRole('button', { name: 'Expected Result' }).click();
  await fill(page, 'Expected Result', 'The money is back');
  await save(page);
  await expectToast(page, 'Updated Successfully');

  await runAction(page, 'Refund reaches the card', 'Comments');
  const dialog = page.getByRole('dialog', { name: 'Comments History | Total Records: 0' });
  await expect(dialog).toBeVisible();
  const widthOf = async () => (await dialog.boundingBox())!.width / page.viewportSize()!.width;
  expect(await widthOf()).toBeCloseTo(0.8, 2);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText(/Comments is required|required/).first()).toBeVisible();
  await choose(dialog, 'Status', 'Ready for QA');
  await choose(dialog, 'Assigned To', placed.assign.name);
  await dialog.getByRole('textbox', { name: 'Comments' }).fill('Please test again');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Saved Successfully');
  const after = page.getByRole('dialog', { name: 'Comments History | Total Records: 1' });
  await expect(after.getByRole('grid')).toContainText('Please test again');
  await expect(after.getByRole('grid')).toContainText('Olivia Berg');
  await expectAccessible(page);
  await after.getByRole('button', { name: 'Close' }).click();
  await expect(row(page, 'Refund reaches the card')).toContainText('Ready for QA');

  await runAction(page, 'Refund reaches the card', 'Copy');
  await expect(title(page)).toHaveText('Copy Testcase');
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Refund reaches the card - Copy');
  await expect(page.locator('.picture-shot')).toBeVisible();
  await save(page);
  await expectToast(page, 'Copied Successfully');
  await page.goto('/test-cases?q=Refund reaches');
  await runAction(page, 'Refund reaches the card - Copy', 'View');
  await expect(page).toHaveURL(/\/test-cases\/\d+\/view$/);
  await expect(page.getByRole('heading', { level: 2, name: 'Refund reaches the card - Copy' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Text' }).locator('img')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveCount(0);
  await expectAccessible(page);

  await page.goto('/test-cases?q=Refund reaches');
  await runAction(page, 'Refund reaches the card - Copy', 'Delete');
  await expect(page.getByRole('alertdialog')).toContainText('Are you sure you want to delete?');
  await answerQuestion(page, 'Delete');
  await expectToast(page, 'Deleted Successfully');
  await expect(row(page, 'Refund reaches the card - Copy')).toBeHidden();
});

test('the history shows names instead of ids and marks differences; the link is copied, renewed and revoked', async ({
  page,
  context,
  signIn,
  api,
}) => {
  const owner = await api('owner');
  const made = await newCase(owner, { name: 'Total of the basket', expected_result: 'The total is right' });
  await owner.send('PUT', `/test-cases/${made.id}`, { ...made, expected_result: 'The total is wrong', priority_id: 1 });
  await signIn('owner');
  await page.goto(`/test-case-history/${made.id}`);
  await expect(title(page)).toContainText('Test Case History | Total Records: 2');
  const change = row(page, 'Updated').or(row(page, 'Changed')).first();
  await expect(change.locator('del')).toHaveText('right');
  await expect(change.locator('ins')).toHaveText('wrong');
  for (const word of ['Medium', 'Urgent', 'Olivia Berg']) await expect(change).toContainText(word);
  await expectAccessible(page);

  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`/test-cases/${made.id}`);
  const address = page.getByRole('textbox', { name: 'Public link' });
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(page.getByText('Copied', { exact: true })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(new RegExp(`/testcase/${made.sharable_link}$`));
  await page.getByRole('button', { name: 'Renew' }).click();
  await answerQuestion(page, 'Renew');
  await expect(address).not.toHaveValue(copied);
  await page.getByRole('button', { name: 'Revoke' }).click();
  await answerQuestion(page, 'Revoke');
  await expect(page.getByText('No public link')).toBeVisible();
});
