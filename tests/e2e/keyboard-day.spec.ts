import { test } from './support/own-program';
import { accounts, expect, expectToast, password, title } from './support/test';

// Counted are the keys, and the letters of the words that find something; not what is written: credentials, comments,
// descriptions and times.
test('a day of a tester by keyboard alone', async ({ page, api }) => {
  const qa = await api('qa');
  type TestCase = Record<'key' | 'project_id' | 'project_module' | 'assigned_to', unknown> & {
    project: { name: string };
  };
  // Of a project that two letters find, with a person who can be assigned to it.
  const where = { 'project_id.name': 'Claims Self Service', project_module: { $ne: null }, assigned_to: { $ne: null } };
  const cases = await qa.send<{ data: TestCase[] }>(
    'GET',
    `/test-cases?range=[0,0]&where=${encodeURIComponent(JSON.stringify(where))}`,
  );
  const { project_id, project_module, assigned_to } = cases.body.data[0]!;
  const values = { name: 'Refund of half an order', project_id, project_module, assigned_to, status_id: 2 };
  const made = await qa.send<{ data: TestCase }>('POST', '/test-cases', values);
  const key = String(made.body.data.key);
  let pressed = 0;
  let letters = 0;
  const press = async (...names: string[]) => {
    pressed += names.length;
    for (const name of names) await page.keyboard.press(name);
  };
  const find = async (text: string) => {
    letters += text.length;
    await page.keyboard.type(text);
  };
  const write = (text: string) => page.keyboard.type(text);
  const steps: { step: string; keys: number; letters: number }[] = [];
  const done = (step: string) => {
    steps.push({ step, keys: pressed, letters });
    [pressed, letters] = [0, 0];
  };

  await page.goto('/');
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused();
  await write(accounts.qa);
  await press('Tab');
  await write(password);
  await press('Enter');
  await expect(title(page)).toContainText('Dashboard');
  done('sign in');

  await press('Control+K');
  await find(key);
  await press('ArrowRight');
  await find('fa');
  await press('Enter');
  await expectToast(page, 'Result of Refund of half an order set to Failed');
  done('find a case, set Failed');

  // → is for the record that was opened last.
  await press('Control+K', 'ArrowRight');
  await find('co');
  await press('Enter');
  await expect(page.getByRole('textbox', { name: 'Comments' })).toBeFocused();
  await write('The refund of one item is missing.');
  await press('Control+Enter');
  await expectToast(page, 'Saved Successfully');
  await press('Escape');
  done('comment');

  await press('Control+K', 'ArrowRight');
  await find('ta');
  await press('Enter');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await press('Control+S');
  await expect(page.getByRole('textbox', { name: 'Description' })).toBeFocused();
  await write('Half of the amount arrives twice.');
  await press('Control+S');
  await expect(page.getByRole('combobox', { name: 'Priority' })).toBeFocused();
  await find('hi');
  await expect(page.getByRole('option', { name: 'High' })).toBeVisible();
  await press('Enter', 'Control+S');
  await expectToast(page, 'Added Successfully');
  await expect(page.getByRole('dialog')).toBeHidden();
  done('new task');

  await press('Control+K', 'ArrowRight');
  await find('ti');
  await press('Enter');
  const log = page.getByRole('dialog', { name: 'Add Timelog' });
  await expect(log.getByRole('textbox', { name: 'Date' })).toBeFocused();
  await press('Tab', 'Tab');
  await write('0:00');
  await press('Tab');
  await write('0:01');
  await press('Control+S');
  await expect(log).toBeHidden();
  done('log time');

  await press('Control+K');
  await find('>tas');
  await press('Enter');
  await expect(title(page)).toContainText('Task');
  const grid = page.getByRole('grid');
  await expect(grid.getByRole('link', { name: 'Refund of half an order' })).toBeVisible();
  await press('v');
  const card = page.getByRole('listitem', { name: 'Refund of half an order' });
  await expect(card).toBeVisible();
  await press('j');
  await expect(card).toBeFocused();
  await press('s');
  await find('in');
  await expect(page.getByRole('option', { name: 'In Progress' })).toBeVisible();
  await press('Enter');
  await expect(page.getByRole('textbox', { name: 'Comments' })).toBeFocused();
  await write('Begun.');
  await press('Control+Enter');
  await expectToast(page, 'Saved Successfully');
  await expect(page.getByRole('region', { name: 'In Progress' }).getByText('Refund of half an order')).toBeVisible();
  await expect(card).toBeFocused();
  done('move a card');

  await press('v', 'f');
  await expect(page.getByRole('combobox', { name: 'Filter by' })).toBeFocused();
  await press('Enter');
  await find('cl');
  await expect(page.getByRole('option', { name: 'Claims Self Service' })).toBeVisible();
  await press('Enter', 'Escape');
  await expect(page.getByRole('group', { name: 'Filters Applied' })).toContainText('Project: Claims Self Service');
  done('filter');

  await press('Shift+C');
  await find('lat');
  const late = page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox');
  await expect(late).toHaveCount(1);
  await press('Enter');
  await expect(late).toBeChecked();
  await press('Control+Enter');
  await expect(grid.getByRole('columnheader', { name: 'Late' })).toBeVisible();
  done('column');

  const download = page.waitForEvent('download');
  await press('Control+K');
  await find('>do');
  await press('Enter');
  expect((await download).suggestedFilename()).toBe('tasks.xlsx');
  done('export');

  const all = (count: 'keys' | 'letters') => steps.reduce((sum, step) => sum + step[count], 0);
  const counted = steps.map(({ step, keys, letters: typed }) => `${step}: ${keys} keys, ${typed} letters`).join('; ');
  test.info().annotations.push({ type: 'keys', description: counted });
  expect(all('keys'), counted).toBeLessThanOrEqual(45);
  // Of the words that find something, never more than their beginnings; keys of test cases may have four digits.
  expect(all('letters'), counted).toBeLessThanOrEqual(31);
});
