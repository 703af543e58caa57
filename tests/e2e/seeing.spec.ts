import { test } from './support/own-program';
import { pdfPages } from './support/pdf-text';
import { expect, expectAccessible, expectToast, title, type ApiCaller } from './support/test';

interface Named {
  id: number;
  name: string;
}

async function send<T>(caller: ApiCaller, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await caller.send<T>(method, path, body);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

/** A module with three test cases, and an open run by its filter, of which one failed. */
async function prepare(caller: ApiCaller) {
  const [project] = await send<Named[]>(caller, 'GET', '/projects?q=Shipment');
  const module = await send<{ data: Named }>(caller, 'POST', '/project-modules', {
    name: 'Seen from above',
    project_id: project!.id,
  });
  const addCase = (name: string) =>
    send<{ data: Named }>(caller, 'POST', '/test-cases', {
      name,
      project_id: project!.id,
      project_module: module.data.id,
    });
  const cases = [];
  for (const name of ['The first', 'The second', 'The third']) cases.push((await addCase(name)).data);
  const run = (
    await send<{ data: Named & { report_link: string } }>(caller, 'POST', '/test-runs', {
      name: 'Seen run',
      project_id: project!.id,
    })
  ).data;
  await send(caller, 'POST', `/test-runs/${run.id}/tests`, { filter: { project_module: module.data.id } });
  const entries = await send<{ data: Named[] }>(caller, 'GET', `/run-entries?run_id=${run.id}&sort_by=position`);
  const result = { result: 'failed', comment: 'Nothing happens', elapsed_seconds: 61 };
  await send(caller, 'PUT', `/run-entries/${entries.data[0]!.id}/result`, result);
  return { run, project: project!, cases, addCase };
}

test('a run is opened from the list by a click, shows failures and new matches, and leads to the runner', async ({
  page,
  signIn,
  api,
}) => {
  const manager = await api('manager');
  const { run, addCase } = await prepare(manager);
  await addCase('The fourth');
  await signIn('manager');
  await page.goto('/test-runs');
  // A click on a run leads to it, not into its form.
  await page
    .getByRole('row', { name: /Seen run/ })
    .getByText('Seen run', { exact: true })
    .click();
  await expect(page).toHaveURL(new RegExp(`/test-runs/${run.id}/overview`));
  await expect(title(page)).toContainText('Seen run');
  await expect(page.getByRole('img', { name: '1 failed, 2 not run' }).first()).toBeVisible();
  const rows = page.getByRole('table', { name: 'Tests', exact: true }).getByRole('row');
  await expect(rows.filter({ hasText: 'The first' })).toContainText('Nothing happens');
  await expect(rows.filter({ hasText: 'Seen from above' })).toContainText('3');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Add it' }).click();
  await expectToast(page, 'One test was added.');
  await expect(rows.filter({ hasText: 'The fourth' })).toBeVisible();
  // One test is assigned, then all that a filter shows; both are taken back together.
  await page.getByRole('checkbox', { name: /^Select TC-\d+ The first$/ }).press('Space');
  await page.getByRole('button', { name: 'Assign 1' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Quentin Marsh' }).press('Enter');
  await expectToast(page, 'One test was assigned to Quentin Marsh.');
  await expect(rows.filter({ hasText: 'The first' })).toContainText('Quentin Marsh');
  await page.getByRole('button', { name: 'Filters' }).press('Enter');
  const filters = page.getByRole('dialog', { name: 'Filters of the tests' });
  await filters.getByRole('checkbox', { name: /^Quentin Marsh/ }).press('Space');
  await filters.getByRole('button', { name: 'Done' }).press('Enter');
  await expect(rows.filter({ hasText: 'The first' })).toBeVisible();
  await expect(rows.filter({ hasText: 'The second' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Assign', exact: true }).press('Enter');
  await page.getByRole('menuitem', { name: 'Nobody' }).press('Enter');
  await expectToast(page, 'One test was left to nobody.');
  await expect(page.getByText('No test fits.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(rows.filter({ hasText: 'The first' })).toContainText('Quentin Marsh');
  await page.getByRole('tab', { name: 'Activity' }).click();
  await expect(page.getByRole('list', { name: 'Activity' }).getByRole('listitem')).toContainText([
    /set Failed at The first.*Nothing happens/,
  ]);

  await page.getByRole('tab', { name: 'Failures 1' }).click();
  await expect(page.getByRole('region', { name: 'Nothing happens' })).toContainText('1 new');
  await page.getByRole('link', { name: 'Continue running' }).click();
  await expect(page).toHaveURL(new RegExp(`/test-runs/${run.id}/run`));
});

test('the tests of a run begin at 260 px, its state and details are at hand, and its end says what to do next', async ({
  page,
  signIn,
  api,
}) => {
  const manager = await api('manager');
  const { run } = await prepare(manager);
  const { data: entries } = await send<{ data: Named[] }>(
    manager,
    'GET',
    `/run-entries?run_id=${run.id}&sort_by=position`,
  );
  await signIn('manager');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/test-runs/${run.id}/overview`);
  const table = page.getByRole('table', { name: 'Tests', exact: true });
  expect((await table.boundingBox())!.y).toBeLessThanOrEqual(260);
  await expect(page.getByRole('region', { name: 'Results' })).toContainText('2 left');
  const titleWidth = async () =>
    (await table.getByRole('columnheader', { name: 'Title' }).boundingBox({ timeout: 5000 }))!.width;
  expect(await titleWidth()).toBeGreaterThanOrEqual(320);

  // Its details and its burndown.
  await page.keyboard.press('i');
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details.getByRole('listitem')).toContainText(['1 of 3']);
  expect(await titleWidth()).toBeGreaterThanOrEqual(320);
  await expect(table.getByRole('columnheader', { name: 'Last comment' })).toBeHidden();
  await expectAccessible(page);
  await page.keyboard.press('i');
  await expect(details).toBeHidden();
  await page.getByRole('button', { name: 'Burndown' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'Burndown' }).getByRole('img')).toHaveAccessibleName(
    /^2 of 3 tests left/,
  );
  await page.keyboard.press('Escape');

  // Its state, each change with its effect.
  await page.getByRole('button', { name: 'State: In Progress' }).press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Send to review' })).toContainText('2 not run');
  await page.getByRole('menuitem', { name: 'Pause' }).press('Enter');
  await expect(page.getByRole('button', { name: 'State: Paused' })).toBeVisible();
  await page.getByRole('button', { name: 'State: Paused' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Set In Progress' }).press('Enter');
  await expect(page.getByRole('button', { name: 'State: In Progress' })).toBeVisible();

  // At 1,024 px nine tests and groups are in view, and two columns leave.
  await page.setViewportSize({ width: 1024, height: 768 });
  await expect(table.getByRole('columnheader', { name: 'Configuration' })).toBeHidden();
  const foot = page.getByText('3 tests', { exact: true }).last();
  const room = (await foot.boundingBox())!.y - (await table.boundingBox())!.y - 36;
  expect(room).toBeGreaterThanOrEqual(9 * 40);
  await page.setViewportSize({ width: 1440, height: 900 });

  for (const { id } of entries.slice(1))
    await send(manager, 'PUT', `/run-entries/${id}/result`, { result: 'passed', elapsed_seconds: 120 });
  const end = page.getByRole('region', { name: 'Results' });
  await expect(end.getByRole('heading')).toHaveText('3 of 3 run. 2 passed, 1 failed.');
  await expect(end).toContainText(/\d min by \S+/);
  await expect(end.getByRole('button', { name: 'Share report' })).toBeVisible();
  await expectAccessible(page);
  await end.getByRole('button', { name: 'Retest 1 failed' }).press('Enter');
  await expect(page).toHaveURL(/\/test-runs\/\d+\/run/);
  await expect(page.getByText('Test 1 of 1')).toBeVisible();
  await page.goto(`/test-runs/${run.id}/overview`);
  await page.getByRole('button', { name: 'Finish run' }).press('Enter');
  await expectToast(page, `R-${run.id} is closed.`);
  await expect(page.getByRole('button', { name: 'State: Closed' })).toBeVisible();
});

test('coverage shows gaps first and the tests behind a cell; the report is public, and fits a phone and paper', async ({
  page,
  signIn,
  api,
}) => {
  const manager = await api('manager');
  const { run, project, cases } = await prepare(manager);
  const common = { project_id: project.id };
  await send(manager, 'POST', '/requirements', { ...common, name: 'Nobody tests this' });
  await send(manager, 'POST', '/requirements', {
    ...common,
    name: 'Seen to be met',
    test_case_ids: cases.map(({ id }) => id),
  });
  await signIn('manager');
  await page.goto('/coverage');
  const table = page.getByRole('region', { name: 'Coverage of requirements' });
  await expect(table.getByRole('row').nth(1)).toContainText('Coverage gaps');
  await expect(table.getByRole('row', { name: /Nobody tests this/ })).toContainText('Never tested');
  await expect(table.getByRole('button', { name: 'Add case' }).first()).toBeVisible();
  await expectAccessible(page);
  const cell = table
    .getByRole('row', { name: /Seen to be met/ })
    .getByRole('button', { name: /Failed, 0 of 3 passed/ });
  await cell.focus();
  await page.keyboard.press('Enter');
  const popover = page.getByRole('dialog', { name: / in R-\d+$/ });
  await expect(popover.getByRole('listitem')).toHaveCount(3);
  await expect(popover.getByRole('listitem').first()).toContainText('The first');
  await page.keyboard.press('Escape');
  await expect(popover).toBeHidden();
  await expect(cell).toBeFocused();
  // Its day is typed in any usual way; the cell goes with the run, which is newer.
  const asOf = page.getByRole('textbox', { name: 'As of' });
  await asOf.fill('2020-02-03');
  await asOf.press('Tab');
  await expect(asOf).toHaveValue('03-Feb-2020');
  await expect(page.getByText('The project had no requirements on this day.')).toBeVisible();
  await asOf.fill('');
  await asOf.press('Tab');
  await cell.press('Enter');
  await popover.getByRole('button', { name: 'Retest 1 failed' }).press('Enter');
  await page.getByRole('menuitem', { name: 'A new run' }).press('Enter');
  await expect(title(page)).toContainText(/^Retest of REQ-\d+/);
  await expect(page.getByText('The first').first()).toBeVisible();

  // Without an account.
  await page.evaluate(() => localStorage.clear());
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/run-report/${run.report_link}`);
  await expect(page.getByRole('heading', { name: 'Seen run' })).toBeVisible();
  await expect(page.getByText('Nothing happens')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Print or save as PDF' })).toBeHidden();
  await expect(page.getByRole('table')).toBeVisible();
});

test('a report is signed off, recomputed by its readers, and saved as PDF: whole, without the bar, no row on two pages', async ({
  page,
  signIn,
  api,
}) => {
  const manager = await api('manager');
  const { run, project } = await prepare(manager);
  const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
  const create = numbers.map((number) => ({ name: `Printed case ${number}`, project_id: project.id }));
  const made = await send<{ data: { created: Named[] } }>(manager, 'POST', '/test-cases/bulk', { create });
  const test_cases = made.data.created.map(({ id }) => id);
  await send(manager, 'POST', `/test-runs/${run.id}/tests`, { test_cases });
  const entries = await send<{ data: Named[] }>(
    manager,
    'GET',
    `/run-entries?run_id=${run.id}&sort_by=position&range=[0,99]`,
  );
  const messages = numbers.map((number) => `First${number}. ${'The page stays empty. '.repeat(11)}Last${number}.`);
  for (const [index, comment] of messages.entries()) {
    const entry = entries.data.find(({ name }) => name === `Printed case ${index + 1}`)!;
    await send(manager, 'PUT', `/run-entries/${entry.id}/result`, { result: 'failed', comment });
  }
  await signIn('manager');
  await page.goto(`/test-runs/${run.id}/report`);
  const stamp = page.getByRole('region', { name: 'Stamp' });
  await expect(stamp).toContainText('Not signed off');
  await page.getByRole('button', { name: 'Sign off' }).press('Enter');
  await page.getByRole('textbox', { name: 'Comment' }).fill('Not fit for release');
  await page.keyboard.press('Tab');
  await page.getByRole('dialog').getByRole('button', { name: 'Sign off' }).press('Enter');
  await expect(stamp).toContainText('Signed off');
  await expect(stamp).toContainText('Not fit for release');
  await expect(page.getByRole('button', { name: 'Print or save as PDF' })).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expectAccessible(page);
  const inside = pdfPages(await page.pdf({ format: 'A4' }));

  await page.evaluate(() => localStorage.clear());
  await page.goto(`/run-report/${run.report_link}`);
  await page.getByRole('button', { name: 'Verify' }).press('Enter');
  await expect(page.getByText('Recomputed from every attempt: it is the same.')).toBeVisible();
  const shared = pdfPages(await page.pdf({ format: 'A4' }));
  for (const pages of [inside, shared]) {
    expect(pages.length).toBeGreaterThan(1);
    for (const number of numbers) {
      const at = (words: string) => pages.findIndex((text) => text.includes(words));
      expect(at(`First${number}.`), `row ${number}`).toBeGreaterThanOrEqual(0);
      expect(at(`Last${number}.`), `row ${number}`).toBe(at(`First${number}.`));
    }
    const whole = pages.join('');
    expect(whole).toContain('Testrunreport');
    expect(whole).toMatch(/Signedoff.*Notfitforrelease.*Fingerprint/);
    for (const bar of ['read-only', 'PrintorsaveasPDF', 'Jumpto', 'Verify']) expect(whole).not.toContain(bar);
  }
});
