import { test } from './support/own-program';
import { expect, expectAccessible, expectToast, openSession, title } from './support/test';

const failed = (message: string) =>
  `<failure message="${message}">${message}\n  at submitTwice (checkout.ts:88)</failure>`;

function report(tests: Readonly<Record<string, string>>): Blob {
  const cases = Object.entries(tests).map(
    ([name, content]) =>
      `<testcase classname="checkout" file="pay.spec.ts" name="${name}" time="3">${content}</testcase>`,
  );
  return new Blob([`<testsuite name="checkout">${cases.join('\n')}</testsuite>`]);
}

test('results of a build and renamed tests are handled by keyboard: cause, quarantine, a case, merge, keep apart and undo', async ({
  page,
  signIn,
  program,
}) => {
  const { token } = await openSession(program.url, 'qa');
  const send = async (tests: Readonly<Record<string, string>>): Promise<number> => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ project: 'STP', branch: 'checkout' })) form.append(name, value);
    form.append('file', report(tests), 'junit.xml');
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${program.url}/api/results`, { method: 'POST', headers, body: form });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { data: { run_id: number } }).data.run_id;
  };
  await send({ 'charges the card once': '', 'keeps the basket across a reload': '', 'returns to the order': '' });
  const run = await send({
    'charges the card only once': failed('Timeout 30000ms waiting for #pay'),
    'keeps the basket over a reload': failed('Timeout 5000ms waiting for #pay'),
    'returns to the order': failed('expected Settled'),
  });
  await signIn('qa');

  await page.goto(`/test-runs/${run}/ci-results`);
  await expect(page.getByText('3 new since', { exact: false })).toBeVisible();
  const cause = page.getByRole('heading', { level: 2, name: /Timeout 30000ms waiting for #pay\s*2/ });
  await expect(cause).toBeVisible();
  const heading = page.locator('.detail').getByRole('heading', { level: 2 });
  await expect(heading).toHaveText('charges the card only once');
  await page.keyboard.press('j');
  await expect(heading).toHaveText('keeps the basket over a reload');
  await page.keyboard.press('j');
  await expect(heading).toHaveText('returns to the order');
  await expect(page.getByText('at submitTwice (checkout.ts:88)', { exact: false })).toBeVisible();
  await expect(page.getByRole('img', { name: 'The last 2: 1 Passed, 1 Failed; the latest is Failed' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create defect' }).press('Enter');
  const defect = page.getByRole('dialog', { name: /^Create defect from R-\d+$/ });
  await expect(defect.getByRole('textbox', { name: 'Name' })).toHaveValue('returns to the order');
  await expect(defect.getByRole('textbox', { name: 'Description' })).toContainText('expected Settled');
  await expect(defect.getByRole('textbox', { name: 'Description' })).toContainText('pay.spec.ts');
  // A build tests it again anyway.
  await expect(defect.getByRole('button', { name: 'Create and link' })).toBeVisible();
  await expect(defect.getByRole('checkbox', { name: /^Retest/ })).toBeHidden();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(defect).toBeHidden();
  await page.getByRole('switch', { name: 'Quarantine' }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByText(/^In quarantine until/)).toBeVisible();
  // Quarantine hides no failure.
  await expect(page.getByRole('button', { name: /returns to the order.*Quarantined/ })).toBeVisible();
  await page.getByRole('button', { name: 'Create case' }).focus();
  await page.keyboard.press('Enter');
  await expectToast(page, 'The test case is created and linked.');
  await expect(
    page.getByRole('region', { name: 'returns to the order' }).getByRole('link', { name: /^TC-\d+$/ }),
  ).toBeVisible();

  await page.goto('/renamed-tests');
  await expect(title(page)).toContainText('Renamed Tests');
  const rows = page.getByRole('list', { name: 'Proposals' }).getByRole('listitem');
  const row = (name: string) => rows.filter({ hasText: name });
  await page.getByRole('searchbox', { name: 'Search tests' }).focus();
  await page.keyboard.type('pay.spec');
  await page.keyboard.press('Tab');
  await expect(rows).toHaveCount(2);
  await expect(row('charges the card').locator('ins')).toHaveText('only');
  await expectAccessible(page);
  await page.keyboard.press('m');
  await expectToast(page, 'Merged “charges the card only once”: 2 results joined');
  await expect(row('charges the card')).toBeHidden();
  await expect(row('keeps the basket')).toHaveAttribute('aria-current', 'true');
  await page.keyboard.press('a');
  await expectToast(page, 'Kept apart: “keeps the basket over a reload”');
  await expect(row('keeps the basket')).toBeHidden();
  for (const name of ['keeps the basket', 'charges the card']) {
    await page.keyboard.press('Control+z');
    await expect(row(name)).toBeVisible();
  }

  // Test cases of several tests at once, from their list.
  await send({ 'pays with points': '', 'pays with a voucher': '' });
  await page.goto('/automated-tests');
  const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name });
  for (const name of ['pays with points', 'pays with a voucher'])
    await rowOf(name).getByRole('checkbox').press('Space');
  const selection = page.getByRole('region', { name: 'Selection' });
  await selection.getByRole('button', { name: 'Make test case' }).press('Enter');
  await expectToast(page, 'Test cases made: 2. Tests that had one: 0.');
  await expect(selection).toBeHidden();
  await expect(rowOf('pays with points').getByText('pays with points')).toHaveCount(2);
});
