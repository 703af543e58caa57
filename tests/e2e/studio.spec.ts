import type { Browser, Page } from '@playwright/test';
import { test } from './support/fresh-program';
import { discardDrafts, secondAdministrator } from './support/drafts';
import { choose, fill, row } from './support/steps';
import { expect, expectAccessible, expectToast, openSession, title } from './support/test';

// One separate program, tests in sequence.
test.describe.configure({ mode: 'default' });
test.use({ alsoExpected: /net::ERR_INTERNET_DISCONNECTED/ });

const fields = (page: Page) => page.getByRole('region', { name: 'Fields' });
const properties = (page: Page) => page.getByRole('region', { name: 'Properties' });
const preview = (page: Page) => page.frameLocator('iframe[title="Preview of the list and the form"]');
const plan = (page: Page) => page.getByRole('region', { name: 'Migration plan' });
const publish = (page: Page) => plan(page).getByRole('button', { name: 'Publish', exact: true });

/** A page in a separate browser context, where a user is signed in. */
async function another(browser: Browser, url: string, role: 'admin' | 'owner'): Promise<Page> {
  return signedIn(browser, url, JSON.stringify(await openSession(url, role)));
}

/** As `another`, with a session as the application stores it. */
async function signedIn(browser: Browser, url: string, session: string): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    baseURL: url,
  });
  await context.addInitScript((text) => localStorage.setItem('assay.session', text), session);
  return context.newPage();
}

async function addField(page: Page, label: string, type: string): Promise<void> {
  await fields(page).getByRole('button', { name: 'Add field' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add field' });
  await dialog.getByRole('textbox', { name: 'Label' }).fill(label);
  await dialog.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: type, exact: true }).click();
  await dialog.getByRole('button', { name: 'Add field' }).click();
  await expect(dialog).toBeHidden();
}

test('a field is added, required under a condition, published, visible elsewhere at once, and undone', async ({
  page,
  browser,
  program,
  signIn,
}) => {
  await signIn('admin');
  const theirs = await another(browser, program.url, 'owner');
  await theirs.goto('/tasks/create');
  await theirs.getByRole('textbox', { name: 'Name', exact: true }).fill('Half a thought');
  await theirs.evaluate(() => Object.assign(window, { samePage: true }));

  await page.goto('/studio/tasks');
  await expect(title(page)).toContainText('Tasks');
  await expect(publish(page)).toBeDisabled();
  await addField(page, 'Build', 'URL');
  await expect(properties(page).getByRole('textbox', { name: 'Key' })).toHaveValue('build');
  await expect(fields(page).getByRole('button', { name: 'build new' })).toBeVisible();
  await properties(page).getByRole('spinbutton', { name: 'Max length' }).fill('500');
  await properties(page).getByRole('switch', { name: 'Shown in list by default' }).check();
  await properties(page).getByRole('switch', { name: 'Required' }).check();
  await properties(page).getByRole('button', { name: 'when…' }).click();
  const condition = properties(page).getByRole('group', { name: 'Required when' });
  // It opens with a row, focused; nothing is stored before the row has a value.
  await expect(condition.getByRole('combobox', { name: 'Required when: field' })).toBeFocused();
  await expect(properties(page).getByLabel('build as JSON')).toContainText('"required": true');
  await condition.getByRole('combobox', { name: 'Required when: field' }).click();
  await page.getByRole('option', { name: 'Status', exact: true }).click();
  await choose(condition, 'Required when: value', 'Completed');
  await page.keyboard.press('Escape');
  await expect(properties(page).getByLabel('build as JSON')).toContainText('"status_id": { "$in": [3] }');

  // Both show in the preview, before anything is published.
  await preview(page).getByRole('columnheader', { name: 'Name' }).focus();
  await page.keyboard.press('End');
  await expect(preview(page).getByRole('columnheader', { name: 'Build' })).toBeVisible();
  await expect(preview(page).getByRole('textbox', { name: 'Build' })).toBeVisible();

  // The plan shows what will happen.
  await expect(plan(page).getByRole('row', { name: /Add the column build/ })).toContainText('add column build');
  await expect(plan(page).getByText(/reversible, no rows lost|breaks? a new rule/)).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Control+s');
  const question = page.getByRole('alertdialog', { name: 'Some records break a new rule' });
  const records = await question.getByRole('link', { name: 'Show them' }).getAttribute('href');
  // Without a connection the draft stays, and the same call is retried until a response arrives.
  const keys: (string | undefined)[] = [];
  await page.route('**/api/modules/tasks', (route) => {
    if (route.request().method() !== 'PUT') return route.fallback();
    keys.push(route.request().headers()['idempotency-key']);
    return keys.length === 1 ? route.abort('internetdisconnected') : route.fallback();
  });
  await question.getByRole('button', { name: 'Publish anyway' }).click();
  await expectToast(page, 'No connection. Your changes are kept; saving again when it is back.');
  await expect(page.getByText('Version 2 was published')).toBeVisible();
  await page.unroute('**/api/modules/tasks');
  expect([keys.length, new Set(keys).size, keys[0]]).toEqual([2, 1, expect.stringMatching(/^[0-9a-f]{32}$/)]);
  await expect(plan(page).getByText('No changes')).toBeVisible();

  // In the other browser the form has the new input, and the typed text is still there.
  await expect(theirs.getByRole('textbox', { name: 'Build' })).toBeVisible();
  await expect(theirs.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Half a thought');
  expect(await theirs.evaluate(() => 'samePage' in window)).toBe(true);

  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByText('Version 1 is published again')).toBeVisible();
  await expect(fields(page).getByRole('button', { name: /^build/ })).toContainText('hidden');
  await expect(theirs.getByRole('textbox', { name: 'Build' })).toBeHidden();
  await expect(theirs.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Half a thought');

  // The dialog's link opens the records that break the rule.
  const count = new URLSearchParams(records!.split('?')[1]).get('id')!.split(',').length;
  await page.goto(records!);
  await expect(title(page)).toContainText(`Total Records: ${count}`);
});

test('values that a published change would destroy are named, and confirmed by typing', async ({
  page,
  signIn,
  api,
}) => {
  await signIn('admin');
  await page.goto('/studio/tasks?at=/fields/milestone');
  await properties(page).getByRole('button', { name: 'Remove field' }).click();
  await expect(page.getByText('milestone was removed. Its column and values stay.')).toBeVisible();
  await fields(page).getByRole('button', { name: 'milestone hidden' }).click();
  await properties(page).getByRole('button', { name: 'Purge…' }).click();
  await expect(plan(page).getByText('one cannot be undone')).toBeVisible();
  await expect(plan(page).getByRole('row', { name: /Destroy/ })).toContainText('drop column milestone');

  // Hiding instead keeps the values.
  await publish(page).click();
  const dialog = page.getByRole('alertdialog', { name: 'Publish and purge milestone?' });
  await expect(dialog).toContainText(/\b\d+ of \d+ tasks hold a value in milestone\./);
  await dialog.getByRole('button', { name: 'Hide instead' }).click();
  await expect(fields(page).getByRole('button', { name: 'milestone hidden' })).toBeVisible();

  await properties(page).getByRole('button', { name: 'Purge…' }).click();
  await expect(plan(page).getByRole('row', { name: /Destroy/ })).toBeVisible();
  await publish(page).click();
  await expectAccessible(page);
  const agree = dialog.getByRole('button', { name: 'Purge and publish' });
  await expect(agree).toBeDisabled();
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download milestone' }).click();
  expect((await download).suggestedFilename()).toContain('milestone');
  await dialog.getByRole('textbox', { name: /to confirm/ }).fill('tasks.mile');
  await expect(agree).toBeDisabled();
  await dialog.getByRole('textbox', { name: /to confirm/ }).fill('tasks.milestone');
  await agree.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(/Version \d+ was published/)).toBeVisible();
  await expect(fields(page).getByText('milestone')).toBeHidden();
  const admin = await api('admin');
  const { body } = await admin.send<{ data: { hidden: { column: string }[] } }>('GET', '/modules/tasks');
  expect(body.data.hidden.map(({ column }) => column)).not.toContain('milestone');
});

test('the second of two administrators keeps the draft and bases it on the new version', async ({
  page,
  browser,
  program,
  signIn,
  api,
}) => {
  await signIn('admin');
  const session = await secondAdministrator(await api('admin'), program.url);
  const theirs = await signedIn(browser, program.url, session);
  await page.goto('/studio/priorities?at=/labels');
  await fill(page, 'Plural name', 'Urgencies');
  await expect(plan(page).getByRole('button', { name: 'Publish' })).toBeEnabled();

  await theirs.goto('/studio/priorities?at=/labels');
  await fill(theirs, 'Description', 'How soon something has to be done.');
  await publish(theirs).click();
  await expect(theirs.getByText('Version 2 was published')).toBeVisible();
  await expect(theirs.getByRole('status', { name: /^Draft of/ })).toContainText('has a draft of this module, changed');

  const bar = page.getByRole('status', { name: 'Published meanwhile' });
  await expect(bar).toContainText('published version 2');
  await expect(page.getByRole('textbox', { name: 'Plural name' })).toHaveValue('Urgencies');
  // The draft survives a reload.
  await page.reload();
  await expect(bar).toContainText('published version 2');
  await expect(page.getByRole('textbox', { name: 'Plural name' })).toHaveValue('Urgencies');
  await publish(page).click();
  await expect(page.getByText(/version 1\. Nothing was changed/)).toBeVisible();

  await bar.getByRole('button', { name: 'Keep my changes' }).click();
  await expect(bar).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('How soon something has to be done.');
  await publish(page).click();
  await expect(page.getByText('Version 3 was published')).toBeVisible();
  await expect(theirs.getByRole('textbox', { name: 'Plural name' })).toHaveValue('Urgencies');
  await page.goto('/priorities');
  await expect(title(page)).toContainText('Urgencies');
  await expect(row(page, 'Urgent')).toBeVisible();
});

test('a draft continues in another browser, is handed over and taken over, and no typed text is lost', async ({
  page,
  browser,
  program,
  signIn,
  api,
}) => {
  await secondAdministrator(await api('admin'), program.url);
  await discardDrafts(await api('admin'));
  await signIn('admin');
  await page.goto('/studio/clients?at=/labels');
  await fill(page, 'Plural name', 'Customers');
  const stored = async (name: string) => {
    const { body } = await (
      await api('admin')
    ).send<{ data: { label: string } | null }>('GET', `/module-drafts/${name}`);
    return body.data?.label;
  };
  await expect.poll(() => stored('clients')).toBe('Customers');

  // The same user in another browser goes on with it, and the first one follows.
  const elsewhere = await another(browser, program.url, 'admin');
  await elsewhere.goto('/studio/clients?at=/labels');
  await expect(elsewhere.getByRole('textbox', { name: 'Plural name' })).toHaveValue('Customers');
  await fill(elsewhere, 'Singular name', 'Customer');
  await expect(page.getByRole('textbox', { name: 'Singular name' })).toHaveValue('Customer');

  // What both change at once is a conflict, not a loss.
  await page.route('**/api/module-drafts/clients', (route) =>
    route.request().method() === 'PUT' ? route.abort('internetdisconnected') : route.fallback(),
  );
  await fill(page, 'Description', 'Mine');
  await expect(page.getByText('only in this browser')).toBeVisible();
  await fill(elsewhere, 'Description', 'Theirs');
  await expect
    .poll(
      async () =>
        (await (await api('admin')).send<{ data: { text: string } }>('GET', '/module-drafts/clients')).body.data.text,
    )
    .toContain('Theirs');
  await page.unroute('**/api/module-drafts/clients');
  const conflict = page.getByRole('alert', { name: 'Changed in another window' });
  await expect(conflict).toContainText('What you see here is not saved yet');
  await expectAccessible(page);
  await conflict.getByRole('button', { name: 'Keep this one' }).click();
  await expect(conflict).toBeHidden();
  await expect(elsewhere.getByRole('textbox', { name: 'Description' })).toHaveValue('Mine');
  await elsewhere.close();

  // Handed over: it is gone here, and the colleague finds it in her list.
  await page.getByRole('button', { name: 'Hand the draft over…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Hand over the draft of Customers' });
  await dialog.getByRole('combobox', { name: 'Administrator' }).click();
  await page.getByRole('option', { name: 'Anna Berg' }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Hand over' }).click();
  await expectToast(page, 'Anna Berg has the draft of Customers now');
  await expect(page.getByRole('textbox', { name: 'Plural name' })).toHaveValue('Clients');
  await page.goto('/studio');
  const entry = page
    .getByRole('region', { name: /^Drafts/ })
    .getByRole('listitem')
    .filter({ hasText: 'Customers' });
  await expect(entry).toContainText(/Draft of Anna Berg, (just now|\d+ seconds? ago)/);
  await expectAccessible(page);

  // Taken back after a look at its changes.
  await entry.getByRole('button', { name: /^Take over/ }).click();
  const taking = page.getByRole('dialog', { name: 'Anna Berg’s draft of Customers' });
  await expect(taking.getByRole('list', { name: 'What it changes' })).toContainText('Customers');
  await taking.getByRole('button', { name: 'Take over' }).click();
  await expectToast(page, 'The draft of Customers is yours now');
  await entry.getByRole('button', { name: /^Discard/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(entry).toBeHidden();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(entry).toContainText('Your draft');
  await entry.getByRole('link', { name: 'Customers' }).click();
  await expect(page.getByRole('textbox', { name: /Plural name|Label/ }).first()).toBeVisible();
  await expect(page.getByText(/^Draft, 3 changes?$/)).toBeVisible();
});

test('the keyboard selects fields in the studio, moves one, and undoes that', async ({ page, signIn }) => {
  await signIn('admin');
  await page.goto('/studio/projects?at=/fields/name');
  await expect(fields(page).getByRole('button', { name: /^Name/ })).toHaveAttribute('aria-current', 'true');
  const names = () => fields(page).getByRole('listitem').locator('b').allTextContents();
  const before = await names();
  await fields(page).getByRole('button', { name: 'Move Name' }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByText(/^Picked up /)).toBeAttached();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByText(/^At \d+ of \d+\.$/)).toBeAttached();
  await page.keyboard.press('Space');
  await expect(page.getByText('Draft, 1 change')).toBeVisible();
  expect(await names()).not.toEqual(before);
  await page.keyboard.press('Control+z');
  await expect(page.getByText('Draft, 1 change')).toBeHidden();
  expect(await names()).toEqual(before);
  await fields(page).getByRole('button', { name: /^Name/ }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page).toHaveURL(/at=%2Ffields%2F/);
});
