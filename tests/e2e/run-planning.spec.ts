import { test } from './support/own-program';
import { expect, expectAccessible, title, type ApiCaller } from './support/test';

interface Named {
  id: number;
  name: string;
}

async function send<T>(caller: ApiCaller, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await caller.send<T>(method, path, body);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

/** A module of a project with test cases of these names. */
async function prepare(caller: ApiCaller, moduleName: string, names: readonly string[]) {
  const [project] = await send<Named[]>(caller, 'GET', '/projects?q=Shipment');
  const module = await send<{ data: Named }>(caller, 'POST', '/project-modules', {
    name: moduleName,
    project_id: project!.id,
  });
  const cases: Named[] = [];
  for (const name of names) {
    const body = { name, project_id: project!.id, project_module: module.data.id };
    cases.push((await send<{ data: Named }>(caller, 'POST', '/test-cases', body)).data);
  }
  return { project: project!, module: module.data, cases };
}

test('from a filtered list to a started run in two clicks, and from a selection', async ({ page, signIn, api }) => {
  const { module } = await prepare(await api('manager'), 'Planned here', ['Plan A', 'Plan B', 'Plan C']);
  await signIn('manager');
  await page.goto(`/test-cases?project_module=${module.id}`);
  let clicks = 0;
  const click = async (name: string | RegExp) => {
    await page.getByRole('button', { name }).click();
    clicks++;
  };
  await click('Run these 3');
  await expect(title(page)).toHaveText('New run');
  await expect(page.getByText('3 selected')).toBeVisible();
  await expect(page.getByText('about', { exact: false }).first()).toBeVisible();
  await click('Start run');
  expect(clicks).toBeLessThanOrEqual(4);
  await expect(page.getByText('Test 1 of 3')).toBeVisible();

  await page.goto(`/test-cases?project_module=${module.id}`);
  for (const name of ['Plan A', 'Plan C'])
    await page
      .getByRole('row', { name: new RegExp(name) })
      .getByRole('checkbox')
      .check();
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Run these 2' }).click();
  await expect(page.getByText('2 selected')).toBeVisible();
});

test('a run is planned with modules, configurations, people and their minutes, and saved as a draft', async ({
  page,
  signIn,
  api,
}) => {
  const manager = await api('manager');
  const { project } = await prepare(manager, 'Planned by hand', ['Hand 1', 'Hand 2', 'Hand 3', 'Hand 4']);
  await signIn('manager');
  await page.goto('/test-runs');
  await page.getByRole('link', { name: /Add/ }).first().click();
  await expect(title(page)).toHaveText('New run');
  const projectBox = page.getByRole('combobox', { name: 'Project' });
  await projectBox.fill(project.name.slice(0, 8));
  await page
    .getByRole('option', { name: new RegExp(project.name.slice(0, 8)) })
    .first()
    .click();
  const branch = page.getByRole('checkbox', { name: 'All of Planned by hand' });
  await page.getByRole('searchbox', { name: 'Search test cases' }).fill('Hand');
  await branch.check();
  await expect(page.getByText('4 selected')).toBeVisible();
  await page.getByRole('checkbox', { name: /Hand 4/ }).uncheck();
  await expect(branch).toHaveAttribute('data-indeterminate', 'true');
  for (const label of ['Configurations', 'People']) {
    const box = page.getByRole('combobox', { name: label });
    await box.click();
    await page.getByRole('option').nth(0).click();
    await page.getByRole('option').nth(1).click();
    await page.keyboard.press('Escape');
  }
  await expect(page.getByText('2 configurations, 6 tests')).toBeVisible();
  await expect(page.getByRole('group', { name: 'Share the tests' })).toContainText(
    /^Share the tests.*3 each: .* min, .* min/,
  );
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(/and 1 more$/);
  await page.getByRole('textbox', { name: 'Name' }).fill('Planned as a draft');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await expect(title(page)).toContainText('Planned as a draft');
  await expect(page.getByRole('button', { name: 'State: Not Started' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Tests 6' })).toBeVisible();
});

test('the cases, configurations and people of an earlier run are taken over, as far as there still are any', async ({
  page,
  signIn,
  api,
}) => {
  const manager = await api('manager');
  const { project, cases } = await prepare(manager, 'Planned again', ['Again 1', 'Again 2', 'Again 3']);
  const { data: configurations } = await send<{ data: Named[] }>(manager, 'GET', '/configurations?range=[0,1]');
  const { data: people } = await send<{ data: { id: number; title: string }[] }>(
    manager,
    'GET',
    '/run-entries/choices/assigned_to?range=[0,0]',
  );
  await send(manager, 'POST', '/test-runs/start', {
    name: 'To be planned again',
    project_id: project.id,
    test_cases: cases.map(({ id }) => id),
    configurations: configurations.map(({ id }) => id),
    assign: { by: 'round_robin', users: [people[0]!.id] },
  });
  await send(manager, 'DELETE', `/test-cases/${cases[1]!.id}`);
  await signIn('manager');
  await page.goto(`/test-runs?project_id=${project.id}`);
  await page.getByRole('link', { name: /Add/ }).first().click();
  const projectBox = page.getByRole('combobox', { name: 'Project' });
  await projectBox.fill(project.name);
  await page.getByRole('option', { name: project.name }).first().click();
  await page.getByRole('button', { name: 'Copy from a run…' }).click();
  await page.getByRole('combobox', { name: 'Copy from a run' }).fill('To be planned again');
  await page.getByRole('option', { name: /To be planned again/ }).click();
  await expect(page.getByText(/2 test cases of R-\d+ are selected\. One of its test cases is gone\./)).toBeVisible();
  await expect(page.getByText('2 selected')).toBeVisible();
  await expect(page.getByText('2 configurations, 4 tests')).toBeVisible();
  await expect(page.getByRole('group', { name: 'Share the tests' })).toContainText('4 each');
  await expectAccessible(page);
});

test('two runs are compared, and a cause that was said once is carried on', async ({ page, signIn, api }) => {
  const manager = await api('manager');
  const { project, cases } = await prepare(manager, 'Compared here', ['Stays broken', 'Breaks', 'Is mended']);
  const runOnce = async (name: string, results: readonly string[]) => {
    const body = { name, project_id: project.id, test_cases: cases.map(({ id }) => id) };
    const run = (await send<{ data: Named & { key: string } }>(manager, 'POST', '/test-runs/start', body)).data;
    const entries = await send<{ data: Named[] }>(manager, 'GET', `/run-entries?run_id=${run.id}&sort_by=position`);
    for (const [index, result] of results.entries())
      await send(manager, 'PUT', `/run-entries/${entries.data[index]!.id}/result`, { result });
    return { run, entries: entries.data };
  };
  const first = await runOnce('Before', ['failed', 'passed', 'failed']);
  await send(manager, 'PUT', `/run-entries/${first.entries[0]!.id}`, { cause: 'environment' });
  const second = await runOnce('After', ['failed', 'failed', 'passed']);
  await signIn('manager');
  await page.goto(`/test-runs/${second.run.id}/overview`);
  await page.getByRole('link', { name: `Compare with ${first.run.key}` }).click();
  await expect(title(page)).toHaveText(`Compare ${first.run.key} and ${second.run.key}`);
  const stillFailing = page.getByRole('region', { name: 'Still failing' });
  await expect(stillFailing).toContainText('Stays broken');
  await expect(stillFailing).toContainText('2 runs');
  await expect(stillFailing).toContainText(`Environment`);
  await expect(stillFailing).toContainText(`from ${first.run.key}`);
  await expect(page.getByRole('region', { name: 'New failures' })).toContainText('No cause yet');
  await expect(page.getByRole('region', { name: 'Fixed' })).toContainText('Is mended');
  await expect(page.getByText('1 of 2 failures have a cause')).toBeVisible();
  await page.getByRole('button', { name: 'Breaks' }).focus();
  await page.keyboard.press('Enter');
  await expectAccessible(page);
  await page.keyboard.press('1');
  await expect(page.getByRole('region', { name: 'New failures' })).toContainText('Product');
  await expect(page.getByText('2 of 2 failures have a cause')).toBeVisible();
  const panel = page.getByRole('complementary', { name: 'Breaks' });
  await expect(panel.getByRole('img', { name: 'The last 2: 1 Passed, 1 Failed; the latest is Failed' })).toBeVisible();

  await page.getByRole('button', { name: 'Swap' }).press('Enter');
  await expect(title(page)).toHaveText(`Compare ${second.run.key} and ${first.run.key}`);
  await expect(page.getByRole('region', { name: 'New failures' })).toContainText('Is mended');
  await page.goBack();
  await expect(title(page)).toHaveText(`Compare ${first.run.key} and ${second.run.key}`);
  const compared = page.getByRole('combobox', { name: 'Compared run' });
  await compared.fill('Before');
  await expect(page.getByRole('option', { name: /Before$/ })).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Retest one test' }).press('Enter');
  await expect(page).toHaveURL(/\/test-runs\/\d+\/run/);
  await expect(title(page)).toContainText(`Retest of ${second.run.key}`);
  await expect(page.getByText('Breaks').first()).toBeVisible();
});
