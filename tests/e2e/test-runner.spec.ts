import type { Page } from '@playwright/test';
import { test } from './support/own-program';
import { expect, expectAccessible, expectToast, title, type ApiCaller } from './support/test';

interface Named {
  id: number;
  name: string;
}
type One<T = Named> = { data: T };
type Many<T = Named> = { data: T[] };

const steps = [
  { action: 'Open the checkout and choose the card', data: 'Card 4000 0000 0000 3220', expected: 'Pay can be pressed' },
  { action: 'Press Pay', expected: 'The bank page begins to load' },
  { action: 'Go back and press Pay again', expected: 'No new request is sent' },
];

const nameOf = (run: string, n: number) => `${run}: case ${n}${n === 17 ? ' of a refund' : ''}`;

/** Thirty test cases of a module, the first of them with steps, and an open run of them. */
async function prepareRun(manager: ApiCaller, name: string) {
  const send = async <T>(method: string, path: string, body?: unknown) => {
    const answer = await manager.send<T>(method, path, body);
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  const [project] = await send<Named[]>('GET', '/projects?q=Shipment');
  const modules = await send<Many>('GET', `/project-modules?project_id=${project!.id}&is_parent=1`);
  const like = { project_id: project!.id, project_module: modules.data[0]!.id };
  const cases: number[] = [];
  for (let n = 1; n <= 30; n++) {
    const body = { ...like, name: nameOf(name, n), ...(n === 1 && { steps }) };
    cases.push((await send<One>('POST', '/test-cases', body)).data.id);
  }
  const run = (await send<One>('POST', '/test-runs', { name, project_id: project!.id })).data;
  await send('POST', `/test-runs/${run.id}/tests`, { test_cases: cases });
  const entries = async () =>
    (
      await send<Many<Record<string, unknown> & Named>>(
        'GET',
        `/run-entries?run_id=${run.id}&sort=["position","ASC"]&range=[0,99]&fields=id,name,result,comment,defect,retest,elapsed_seconds`,
      )
    ).data;
  return { run, cases, entries, send };
}

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
/** Pastes a picture where the focus is, as the browser does. */
const pastePicture = (page: Page, name: string) =>
  page.evaluate((file) => {
    const bytes = atob(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    );
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(bytes, (one) => one.charCodeAt(0))], file, { type: 'image/png' }));
    const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
    (document.activeElement ?? document.body).dispatchEvent(event);
  }, name);
/** How many files of results the browser keeps. */
const keptFiles = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        indexedDB.open('assay.results').onsuccess = ({ target }) => {
          const database = (target as IDBOpenDBRequest).result;
          database.transaction('files').objectStore('files').count().onsuccess = (event) => {
            database.close();
            resolve((event.target as IDBRequest<number>).result);
          };
        };
      }),
  );
const heading = (page: Page) => page.getByRole('heading', { level: 2 });
const foot = (page: Page, words: string) => expect(page.getByText(words, { exact: true })).toBeVisible();

test.describe('the runner', () => {
  test.use({ alsoExpected: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/ });

  test('thirty tests are run by keyboard alone: a failure becomes a task, and a lost connection loses nothing', async ({
    page,
    context,
    signIn,
    api,
  }) => {
    const { run, entries, send } = await prepareRun(await api('manager'), 'Release check');
    await signIn('qa');
    await page.goto('/test-runs');
    await page.getByRole('button', { name: /^Run tests R-\d+ Release check$/ }).focus();
    await press(page, 'Enter');
    await expect(title(page)).toContainText('Release check');
    await expect(heading(page)).toHaveText('Release check: case 1');

    // Steps: a digit chooses one, a letter is its result and goes on to the next.
    await press(page, '1', 'p', 'p');
    await expect(page.getByText('2 of 3 steps')).toBeVisible();
    await press(page, 'f');
    await expect(page.getByText('from step 3')).toBeVisible();
    const result = page.getByRole('group', { name: 'Result of the test' });
    await expect(result.getByRole('button', { name: 'Fail' })).toHaveAttribute('aria-pressed', 'true');
    await press(page, '3', 'c');
    await page.keyboard.type('Two requests are sent, both with P and F in their keys.');
    // Pictures belong to the step that has the focus or was chosen, in the panel of the result to the whole test. What
    // was pasted is still there after the page is loaded again.
    await pastePicture(page, 'image.png');
    await press(page, 'Tab');
    await pastePicture(page, 'image.png');
    await page.getByRole('textbox', { name: 'Comment', exact: true }).focus();
    await pastePicture(page, 'image.png');
    const evidence = page.getByRole('group', { name: 'Evidence', exact: true });
    const ofStep = page.getByRole('group', { name: 'Evidence of step 3' });
    await expect(ofStep.getByRole('button', { name: /^Remove/ })).toHaveCount(2);
    await expect.poll(() => keptFiles(page)).toBe(3);
    await page.reload();
    await expect(ofStep.getByTitle('Show image-2.png')).toBeVisible();
    await ofStep.getByRole('button', { name: 'Remove image-2.png' }).focus();
    await press(page, 'Enter');
    await expect(page.getByRole('button', { name: 'Add files to step 3' })).toBeFocused();
    await evidence.getByRole('button', { name: 'Remove image-3.png' }).focus();
    await press(page, 'Enter');
    await expect(evidence.getByRole('button', { name: 'Add files' })).toBeFocused();
    await expect(ofStep.getByTitle('Show image.png')).toBeVisible();

    // The defect: a task with what is known.
    await press(page, 'd');
    const dialog = page.getByRole('dialog', { name: /^Create defect from TC-\d+ in R-\d+, step 3$/ });
    const name = dialog.getByRole('textbox', { name: 'Name' });
    await expect(name).toBeFocused();
    await expect(name).toHaveValue('Release check: case 1: Go back and press Pay again');
    await expect(dialog.getByText('saves the result Fail and goes on')).toBeVisible();
    await expectAccessible(page);
    const stepItems = dialog.getByRole('textbox', { name: 'Description' }).getByRole('listitem');
    await expect(stepItems).toHaveText([
      /^Open the checkout/,
      'Press Pay',
      'Go back and press Pay again · failed here',
    ]);
    const colours = await stepItems.evaluateAll((items) => items.map((item) => getComputedStyle(item).color));
    expect(colours[0]).toBe(colours[1]);
    expect(colours[2]).not.toBe(colours[1]);
    await expect(dialog.getByRole('textbox', { name: 'Description' })).toContainText('Two requests are sent');
    const fields: readonly (readonly [string, string])[] = [
      ['Assigned To', 'Quentin'],
      ['Priority', 'High'],
    ];
    for (const [label, text] of fields) {
      await dialog.getByRole('combobox', { name: label }).focus();
      await press(page, 'Control+a');
      await page.keyboard.type(text);
      await expect(page.getByRole('option', { name: new RegExp(text) }).first()).toBeVisible();
      await press(page, 'ArrowDown', 'Enter');
    }
    await expect(dialog.getByRole('checkbox', { name: 'Take image.png' })).toBeChecked();
    await expect(dialog.getByText(/^Step 3 · /)).toBeVisible();
    await expect(dialog.getByRole('checkbox', { name: /^Retest TC-\d+ when the task is completed$/ })).toBeChecked();
    await press(page, 'Control+Enter');
    await expectToast(page, 'Added Successfully');
    // The result is stored with it.
    await expect(heading(page)).toHaveText('Release check: case 2');
    await foot(page, 'Test 2 of 30');

    // Ten more, then the connection is lost.
    for (let n = 2; n <= 11; n++) {
      await expect(heading(page)).toHaveText(nameOf('Release check', n));
      await press(page, 'p', 'Control+Enter');
    }
    await expect(heading(page)).toHaveText('Release check: case 12');
    await expect(page.getByText('11 of 30', { exact: true })).toBeVisible();
    // It is enabled while no result is on its way.
    const finish = page.getByRole('button', { name: 'Finish run' });
    await expect(finish).toBeEnabled();
    await context.setOffline(true);
    for (let n = 12; n <= 20; n++) {
      await expect(heading(page)).toHaveText(nameOf('Release check', n));
      await press(page, n % 2 === 0 ? 'b' : 's', 'c');
      await page.keyboard.type(`Without a connection, ${n}`);
      if (n === 13) await pastePicture(page, 'without connection.png');
      await press(page, 'Control+Enter');
    }
    await expect(heading(page)).toHaveText('Release check: case 21');
    await expect(page.getByText('9 results wait to be stored.', { exact: false })).toBeVisible();
    await expect(page.getByText('20 of 30', { exact: true })).toBeVisible();
    expect((await entries()).filter((entry) => entry.result !== 'not_run')).toHaveLength(11);
    await context.setOffline(false);
    await expect(page.getByText('to be stored', { exact: false })).toBeHidden();
    expect((await entries()).slice(11, 20).map(({ result: found, comment }) => [found, comment])).toEqual(
      Array.from({ length: 9 }, (_, index) => [
        index % 2 === 0 ? 'blocked' : 'skipped',
        `Without a connection, ${index + 12}`,
      ]),
    );

    for (let n = 21; n <= 30; n++) {
      await expect(heading(page)).toHaveText(nameOf('Release check', n));
      await press(page, 'p', 'Control+Enter');
    }
    await expectToast(page, 'No test is left to run in this list.');
    await expect(page.getByText('30 of 30', { exact: true })).toBeVisible();
    await expect(finish).toBeEnabled();
    const stored = await entries();
    expect(stored[0]).toMatchObject({
      result: 'failed',
      defect: { name: 'Release check: case 1: Go back and press Pay again' },
      retest: true,
    });
    expect(stored.filter((entry) => entry.result === 'passed')).toHaveLength(20);

    await expect.poll(() => keptFiles(page)).toBe(0);

    // The pictures came with their attempts, and with the task.
    const seen = { name: 'image.png', type: 'image/png' };
    const evidenceOf = async ({ id }: Named) =>
      (await send<Many<{ evidence: object[] | null }>>('GET', `/attempts?entry_id=${id}`)).data.map(
        (one) => one.evidence,
      );
    expect(await evidenceOf(stored[0]!)).toEqual([[expect.objectContaining(seen)]]);
    expect(await evidenceOf(stored[12]!)).toMatchObject([[{ ...seen, name: 'without connection.png' }]]);
    const task = await send<One>('GET', `/tasks/${(stored[0]!.defect as Named).id}`);
    expect(task.data).toMatchObject({ attachments: [seen] });
    await press(page, '/');
    await page.keyboard.type('case 1');
    await page.getByRole('option').first().click();
    await page
      .getByRole('region', { name: 'Result' })
      .getByRole('button', { name: 'Show image.png of step 3' })
      .click();
    await expect(page.getByRole('dialog', { name: 'image.png' })).toBeVisible();
    await expectAccessible(page);
    await press(page, 'Escape');
    await finish.focus();
    await press(page, 'Enter');
    await expectToast(page, `R-${run.id} is closed.`);
    await expect(title(page)).toContainText('Test Runs');
  });

  test('a task that is like a failure is linked instead of a second one, and what is typed is asked about', async ({
    page,
    signIn,
    api,
  }) => {
    const { run, entries, send } = await prepareRun(await api('manager'), 'Looking alike');
    const [entry] = await entries();
    const { data: details } = await send<One<{ run: { project_id: number } }>>('GET', `/run-entries/${entry!.id}`);
    const { data: moduleChoices } = await send<Many>(
      'GET',
      `/project-modules?project_id=${details.run.project_id}&is_parent=1`,
    );
    const { data: people } = await send<Many<{ id: number }>>(
      'GET',
      `/tasks/choices/assigned_to?project_id=${details.run.project_id}`,
    );
    const task = await send<One>('POST', '/tasks', {
      name: 'Looking alike: case 1 is charged twice',
      description: '<p>Twice</p>',
      project_id: details.run.project_id,
      project_module_id: moduleChoices[0]!.id,
      assigned_to: people[0]!.id,
      status_id: 1,
      priority_id: 1,
    });
    await signIn('qa');
    await page.goto(`/test-runs/${run.id}/run`);
    await expect(heading(page)).toHaveText('Looking alike: case 1');
    await press(page, 'd');
    const dialog = page.getByRole('dialog', { name: /^Create defect/ });
    await expect(dialog.getByRole('status').filter({ hasText: 'Looks like' })).toContainText(
      'Looking alike: case 1 is charged twice',
    );
    // Who had the latest task of the module is proposed.
    await expect(dialog.getByRole('combobox', { name: 'Assigned To' })).not.toHaveValue('');
    await expect(dialog.getByText(/^Had the latest task in /)).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.type(' once');
    await press(page, 'Escape');
    const question = page.getByRole('alertdialog', { name: 'Unsaved changes' });
    await expect(question).toBeVisible();
    await press(page, 'Escape');
    // It gives the focus back when it has faded away.
    await expect(question).toBeHidden();
    await dialog.getByRole('button', { name: 'Link it instead' }).focus();
    await press(page, 'Enter');
    await expect(dialog).toBeHidden();
    await expect(heading(page)).toHaveText('Looking alike: case 2');
    await expect
      .poll(async () => (await entries())[0])
      .toMatchObject({ result: 'failed', defect: { id: task.data.id } });
  });

  test('a draft survives a reload, J and K move, a search finds, keys can be switched off', async ({
    page,
    signIn,
    api,
  }) => {
    const { run } = await prepareRun(await api('manager'), 'Moving');
    await signIn('qa');
    await page.goto(`/test-runs/${run.id}/run`);
    await expect(heading(page)).toHaveText('Moving: case 1');
    await expectAccessible(page);
    await press(page, 'f', 'c');
    await page.keyboard.type('Not jumping: jjj');
    await page.reload();
    await expect(page.getByRole('textbox', { name: 'Comment', exact: true })).toHaveValue('Not jumping: jjj');
    await press(page, 'j', 'j', 'k');
    await expect(heading(page)).toHaveText('Moving: case 2');
    await press(page, '/');
    await page.keyboard.type('refund 17');
    await expect(page.getByRole('option')).toHaveCount(1);
    await press(page, 'Tab', 'Tab', 'Tab', 'Tab', 'ArrowDown');
    await expect(heading(page)).toHaveText(nameOf('Moving', 17));
    await press(page, 'Escape', '?');
    const keys = page.getByRole('dialog', { name: 'Keyboard' });
    await expectAccessible(page);
    await keys.getByRole('switch').or(keys.getByRole('checkbox')).click();
    await press(page, 'Escape', 'p');
    await expect(page.getByRole('button', { name: 'Pass', exact: true })).toHaveAttribute('aria-pressed', 'false');
  });

  test('shows how a case has changed since it came into the run, and takes the new version', async ({
    page,
    signIn,
    api,
  }) => {
    const { run, cases, send } = await prepareRun(await api('manager'), 'Changing');
    await send('PUT', `/test-cases/${cases[0]}`, { expected_result: 'One charge, and only one.' });
    await signIn('qa');
    await page.goto(`/test-runs/${run.id}/run`);
    await expect(page.getByText('changed since this run began.', { exact: false })).toBeVisible();
    await expect(page.getByText('Expected in the end')).toBeHidden();
    await page.getByRole('button', { name: 'Show difference' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('One charge, and only one.');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Take the new version' }).click();
    await expectToast(page, 'The test has the new version.');
    await expect(page.getByText('Expected in the end')).toBeVisible();
    await expect(page.getByText('changed since this run began.', { exact: false })).toBeHidden();
  });

  test('shows a result of a colleague, and says that a run was closed meanwhile, without discarding results', async ({
    page,
    signIn,
    api,
  }) => {
    const manager = await api('manager');
    const { run, entries, send } = await prepareRun(manager, 'Together');
    await signIn('qa');
    await page.goto(`/test-runs/${run.id}/run`);
    await expect(heading(page)).toHaveText('Together: case 1');
    const [first] = await entries();
    await send('PUT', `/run-entries/${first!.id}/result`, { result: 'passed' });
    await expect(page.getByText('1 of 30', { exact: true })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Result' })).toContainText('Passed');
    await page.route('**/api/test-runs/*', (route) => route.abort());
    await send('PATCH', `/test-runs-state-closed/${run.id}`);
    await press(page, 'f', 'Control+Enter');
    const refused = page.getByRole('alert').filter({ hasText: 'was not stored' });
    await expect(refused).toContainText('closed');
    await refused.getByRole('button', { name: 'Discard' }).click();
    await expect(refused).toBeHidden();
  });

  test('a run is filled by search and by hand, on configurations and for two people, with the keyboard', async ({
    page,
    signIn,
    api,
  }) => {
    const manager = await api('manager');
    const { send } = await prepareRun(manager, 'Filling');
    const [project] = await send<Named[]>('GET', '/projects?q=Shipment');
    const run = (await send<One>('POST', '/test-runs', { name: 'Filled by hand', project_id: project!.id })).data;
    await signIn('qa');
    await page.goto(`/test-runs/${run.id}/run`);
    await page.getByRole('link', { name: 'Add tests' }).focus();
    await press(page, 'Enter');
    await expect(title(page)).toContainText('Add tests');
    const search = page.getByRole('searchbox', { name: 'Search test cases' });
    await search.focus();
    await page.keyboard.type('Filling: case 1');
    await expect(page.getByText(/^All 11 shown$/)).toBeVisible();
    await page.getByRole('checkbox', { name: 'All 11 shown' }).focus();
    await press(page, 'Space');
    await search.fill('Filling: case 25');
    await page.getByRole('checkbox', { name: /Filling: case 25/ }).focus();
    await press(page, 'Space');
    await expect(page.getByText('12 selected')).toBeVisible();
    await expectAccessible(page);
    for (const group of ['Configurations', 'Assigned to']) {
      for (const index of [0, 1]) {
        await page.getByRole('group', { name: group }).getByRole('checkbox').nth(index).focus();
        await press(page, 'Space');
      }
    }
    await expect(page.getByText('12 test cases on 2 configurations: 24 tests.', { exact: false })).toBeVisible();
    await page.getByRole('button', { name: 'Add tests' }).focus();
    await press(page, 'Enter');
    await expectToast(page, '24 tests were added.');
    await expect(page.getByText('Test 1 of 24')).toBeVisible();
    const { data } = await send<Many<Named & { assigned: Named }>>(
      'GET',
      `/run-entries?run_id=${run.id}&range=[0,99]&fields=id,name,assigned`,
    );
    expect(data.filter(({ assigned }) => assigned.name === 'Quentin Marsh')).toHaveLength(12);
    expect(new Set(data.map(({ assigned }) => assigned.name)).size).toBe(2);
  });

  test('on a phone, one hand is enough', async ({ page, signIn, api }) => {
    const { run, entries } = await prepareRun(await api('manager'), 'Phone');
    await page.setViewportSize({ width: 390, height: 844 });
    await signIn('qa');
    await page.goto(`/test-runs/${run.id}/run`);
    await expect(heading(page)).toHaveText('Phone: case 1');
    await page.getByRole('group', { name: 'Result of step 1' }).getByRole('button', { name: 'Pass' }).click();
    await page.getByRole('button', { name: 'Pass the rest' }).click();
    await page.getByRole('button', { name: 'Save and next' }).click();
    await expect(heading(page)).toHaveText('Phone: case 2');
    await page.getByRole('button', { name: 'Tests of the run' }).click();
    await expectAccessible(page);
    await page.getByRole('option', { name: /case 5/ }).click();
    await expect(heading(page)).toHaveText('Phone: case 5');
    await expect.poll(async () => (await entries())[0]).toMatchObject({ result: 'passed' });
  });
});
