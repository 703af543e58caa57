import { test } from './support/own-program';
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

test('the overview of a run: from the list by keyboard, what failed, what matches now, and back to running', async ({
  page,
  signIn,
  api,
}) => {
  const manager = await api('manager');
  const { run, addCase } = await prepare(manager);
  await addCase('The fourth');
  await signIn('manager');
  await page.goto('/test-runs');
  await page.getByRole('button', { name: /^More actions for R-\d+ Seen run$/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Overview' }).focus();
  await page.keyboard.press('Enter');
  await expect(title(page)).toContainText('Seen run');
  await expect(page.getByRole('img', { name: '1 failed, 2 not run' }).first()).toBeVisible();
  const rows = page.getByRole('table', { name: 'Entries' }).getByRole('row');
  await expect(rows.filter({ hasText: 'The first' })).toContainText('Nothing happens');
  await expect(rows.filter({ hasText: 'Seen from above' })).toContainText('3');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Add it' }).click();
  await expectToast(page, 'One test was added.');
  await expect(rows.filter({ hasText: 'The fourth' })).toBeVisible();
  await page.getByRole('tab', { name: 'Failures 1' }).click();
  await expect(page.getByRole('region', { name: 'Nothing happens' })).toContainText('1 new');
  await page.getByRole('link', { name: 'Continue running' }).click();
  await expect(page).toHaveURL(new RegExp(`/test-runs/${run.id}/run`));
});

test('coverage shows gaps first and what is behind a cell; the report is public, and fits a phone and paper', async ({
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

  // Without an account.
  await page.evaluate(() => localStorage.clear());
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/run-report/${run.report_link}`);
  await expect(page.getByRole('heading', { name: 'Seen run' })).toBeVisible();
  await expect(page.getByText('Nothing happens')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByRole('table')).toBeVisible();
});
