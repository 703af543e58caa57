import type { Page } from '@playwright/test';
import { pdfPages } from './support/pdf-text';
import { startProgram } from './support/program';
import { choose, fill, runAction, save } from './support/steps';
import { expect, expectAccessible, expectToast, testOn, title } from './support/test';

/** A product of JSON alone with demo data. */
const test = testOn((programs, file) => programs.ofFile(file, () => startProgram({ ASSAY_PRODUCT: 'examples/crm' })));
// One program for all of them.
test.describe.configure({ mode: 'default' });

async function signIn(page: Page, email: RegExp): Promise<void> {
  await page.goto('/auth/login');
  await page.getByRole('button', { name: email }).click();
  await expect(title(page)).toHaveText(/^Welcome/);
}

test('a deal goes from lead to won, by board and form', async ({ page }) => {
  await signIn(page, /developer@demo\.test/);
  await page.goto('/deals?view=kanban');
  const column = (name: string) => page.getByRole('region', { name, exact: true });
  await expect(page.getByRole('region').getByRole('heading', { level: 2 })).toHaveText([
    'Lead',
    'Offer sent',
    'Negotiation',
    'Won',
    'Lost',
  ]);
  await expect(column('Offer sent')).toContainText('€129,900.50');
  await expect(column('Won')).toContainText('€40,400.00');
  await expectAccessible(page);

  // The form: what the deal is, and a next step that is due today.
  await column('Lead').getByRole('button', { name: 'Add deal to Lead' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Sawmill');
  await choose(form, 'Company', 'Frío Levante');
  await form.getByRole('textbox', { name: 'Next Step', exact: true }).fill('Measure the roof');
  await form.getByRole('textbox', { name: 'Next Step On', exact: true }).fill(new Date().toISOString().slice(0, 10));
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  const card = (stage: string) => column(stage).getByRole('listitem').filter({ hasText: 'Sawmill' });
  await expect(card('Lead')).toContainText('Measure the roof');

  // A move is made at once; without an amount the deal cannot be won, and goes back.
  await runAction(page, 'D-7 Sawmill', 'Move to Negotiation');
  await expectToast(page, 'The deal was moved.');
  await expect(card('Negotiation')).toBeVisible();
  await runAction(page, 'D-7 Sawmill', 'Move to Won');
  await expectToast(page, 'A won deal needs an amount.');
  await expect(card('Negotiation')).toBeVisible();
  await expect(column('Won')).toContainText('€40,400.00');

  // The form says what the deal lacks; then the board has it as won, with the sum of its column.
  await card('Negotiation')
    .getByRole('link', { name: /Sawmill/ })
    .click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await choose(page, 'Stage', 'Won');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('A won deal needs an amount.').first()).toBeVisible();
  await fill(page, 'Amount', '12600');
  await save(page);
  await page.goto('/deals?view=kanban');
  await expect(card('Won')).toContainText('€12,600.00');
  await expect(column('Won')).toContainText('€53,000.00');

  await page.goto('/stages');
  const stage = page.getByRole('grid').getByRole('row').filter({ hasText: 'Won' }).last();
  await expect(stage).toContainText('€53,000.00');
});

test('an import counts new, changed and unchanged records, and explains empty cells', async ({ page }) => {
  await signIn(page, /manager@demo\.test/);
  await page.goto('/imports');
  await page.getByRole('tab', { name: 'Import Companies' }).click();
  const rows = [
    'Name;City;Country',
    'Horno San Blas;Valencia;Spain',
    'Frío Levante;Elche;Spain',
    'Adega do Vale;;Portugal',
    'Nueva Luz;Murcia;Spain',
  ];
  await page
    .locator('#import-file')
    .setInputFiles({ name: 'companies.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) });
  const preview = page.getByRole('region', { name: 'Preview' });
  const line = (text: string) => preview.getByRole('row').filter({ hasText: text });
  await expect(preview).toContainText('1 new, 1 changed, 2 unchanged');
  await expect(line('Horno San Blas')).toContainText('Unchanged');
  await expect(line('Frío Levante')).toContainText('Changed');
  await expect(line('Frío Levante').getByRole('cell', { name: /Elche/ })).toContainText('Was Alicante');
  await expect(line('Adega do Vale')).toContainText('Unchanged');
  await expect(line('Nueva Luz')).toContainText('New');
  await expectAccessible(page);

  await preview.getByRole('combobox', { name: 'Empty cells' }).selectOption({ label: 'clear the value' });
  await expect(preview).toContainText('1 new, 2 changed, 1 unchanged');
  await expect(line('Adega do Vale')).toContainText('Was Évora');
  await preview.getByRole('combobox', { name: 'Empty cells' }).selectOption({ label: 'leave the value' });
  await expect(preview).toContainText('1 new, 1 changed, 2 unchanged');
  await preview.getByRole('button', { name: /^Import \d companies$/ }).click();
  await expectToast(page, 'Imported Successfully');

  await page.goto('/companies');
  const company = (name: string) => page.getByRole('grid').getByRole('row').filter({ hasText: name });
  await expect(company('Frío Levante')).toContainText('Elche');
  await expect(company('Adega do Vale')).toContainText('Évora');
  await expect(company('Nueva Luz')).toContainText('Murcia');
});

test('an offer is opened as a page to print', async ({ page }) => {
  await signIn(page, /developer@demo\.test/);
  await page.goto('/deals?view=kanban');
  await page.getByRole('link', { name: /Roof of the bakery/ }).click();
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: /^More actions/ }).click();
  await page.getByRole('menuitem', { name: 'Print' }).click();
  const sheet = await opened;
  await expect(sheet.getByRole('heading', { name: 'Offer D-1' })).toBeVisible();
  await expect(sheet.getByRole('row', { name: /^Together, without tax/ })).toContainText('50,710');
  expect(pdfPages(await sheet.pdf())).toEqual([expect.stringContaining('Together,withouttax€50,710.00')]);
});

test('a visitor sends the public form at an address that its owner made and revokes', async ({ page, browser }) => {
  await signIn(page, /owner@demo\.test/);
  await page.goto('/inquiries');
  await page.getByRole('button', { name: 'Public form' }).click();
  const addresses = page.getByRole('dialog', { name: 'Public form of Inquiries' });
  await addresses.getByRole('button', { name: 'New address' }).click();
  const link = addresses.getByRole('link');
  await expect(link).toHaveAttribute('href', /\/form\/[\w-]{32}$/);
  const path = new URL((await link.getAttribute('href'))!).pathname;

  const context = await browser.newContext();
  const visitor = await context.newPage();
  const address = new URL(path, page.url()).href;
  // Code that arrives later would move the button away from a pointer that is about to press it.
  let sendCode = () => {};
  const permission = new Promise<void>((resolve) => (sendCode = resolve));
  await visitor.route(/FilesInput/, async (route) => {
    await permission;
    await route.continue();
  });
  const requested = visitor.waitForRequest(/FilesInput/);
  await visitor.goto(address);
  await requested;
  await expect(visitor.getByText('Loading…')).toBeAttached();
  await expect(visitor.getByRole('button', { name: 'Send' })).toHaveCount(0);
  sendCode();
  await expect(visitor).toHaveTitle(/Ask us for an offer/);
  await visitor.getByRole('button', { name: 'Send' }).click();
  await expect(visitor.getByText('Name is required.').first()).toBeVisible();
  await expectAccessible(visitor);
  await visitor.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada Visitor');
  await visitor.getByRole('textbox', { name: 'Email', exact: true }).fill('ada@visitor.test');
  await visitor.getByRole('textbox', { name: 'Message', exact: true }).fill('We need a roof.');
  await visitor.locator('input[type=file]').setInputFiles({
    name: 'plan.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.4\n%%EOF\n'),
  });
  await expect(visitor.getByRole('button', { name: /^plan\.pdf/ })).toBeVisible();
  await visitor.getByRole('button', { name: 'Send' }).click();
  await expect(visitor.getByText('Thank you. We have received your message')).toBeVisible();

  await addresses.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke' }).last().click();
  await expect(addresses.getByText('There is no address yet: the form is closed.')).toBeVisible();
  await addresses.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('row', { name: /Ada Visitor/ })).toContainText('Website');
  await visitor.goto(address);
  await expect(visitor.getByText('This form is not open')).toBeVisible();
  await context.close();
});

test('a list sorts and filters by a path through two relations', async ({ page }) => {
  // In a narrower window the column continues below the title.
  await page.setViewportSize({ width: 1800, height: 900 });
  await signIn(page, /developer@demo\.test/);
  await page.goto('/activities');
  const grid = page.getByRole('grid');
  const countries = () => grid.locator('[data-field="deal.company.country"][role="gridcell"]').allInnerTexts();
  const head = grid.getByRole('columnheader', { name: 'Country' });
  await head.getByText('Country').click();
  await expect(head).toHaveAttribute('aria-sort', 'ascending');
  await expect.poll(async () => (await countries()).join()).toBe((await countries()).toSorted().join());
  await head.getByText('Country').click();
  await expect(head).toHaveAttribute('aria-sort', 'descending');
  await expect.poll(async () => (await countries()).join()).toBe((await countries()).toSorted().toReversed().join());

  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Country' }).fill('Spain');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect.poll(async () => [...new Set(await countries())]).toEqual(['Spain']);
  await expect(page).toHaveURL(/deal\.company\.country/);
  await expectAccessible(page);
  await page.reload();
  await expect.poll(async () => [...new Set(await countries())]).toEqual(['Spain']);
});
