import { expect, expectAccessible, test } from './support/test';

interface Named {
  id: number;
  name: string;
}

test('three test cases are added to a module by the keyboard alone, below the list of its tree', async ({
  page,
  signIn,
  api,
}) => {
  const qa = await api('qa');
  const [project] = (await qa.send<Named[]>('GET', '/projects?q=Shipment')).body;
  const module = await (
    await api('manager')
  ).send<{ data: Named }>('POST', '/project-modules', { name: 'Quickly filled', project_id: project!.id });
  expect(module.status, JSON.stringify(module.body)).toBe(201);
  const { id } = module.body.data;
  await signIn('qa');
  await page.goto(`/test-cases?tree=${id}`);
  const line = page.getByRole('textbox', { name: 'Add a test case to Quickly filled' }).last();
  await expect(line).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('q');
  await expect(line).toBeFocused();
  const titles = ['A label is printed', 'A label is printed twice', 'A label is lost'];
  for (const title of titles) {
    await page.keyboard.type(title);
    await page.keyboard.press('Enter');
  }
  for (const title of titles)
    await expect(page.getByRole('row', { name: new RegExp(`${title}(?! twice)`) })).toBeVisible();
  await expect(line).toBeFocused();
  await expect(line).toHaveValue('');
  const storedCases = await qa.send<{ data: (Named & { project_id: number; project_module: number })[] }>(
    'GET',
    `/test-cases?project_module=${id}&sort=["id","ASC"]`,
  );
  expect(storedCases.body.data.map(({ name }) => name)).toEqual(titles);
  expect(storedCases.body.data[0]).toMatchObject({ project_id: project!.id, project_module: id });

  // A title that is refused comes back into the line, with the reason.
  await page.route('**/api/test-cases', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 422, json: { message: 'No.', errors: { name: 'Title is taken.' } } })
      : route.continue(),
  );
  await page.keyboard.type('A label is printed');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'Title is taken.' })).toBeVisible();
  await expect(line).toHaveValue('A label is printed');
  await page.keyboard.press('Escape');
  await expect(line).toHaveValue('');
});

test('test cases are added in the tree itself, below the module in hand, and the tree keeps its arrows', async ({
  page,
  signIn,
  api,
}) => {
  const manager = await api('manager');
  const [project] = (await manager.send<Named[]>('GET', '/projects?q=Shipment')).body;
  const module = await manager.send<{ data: Named }>('POST', '/project-modules', {
    name: 'Filled in the tree',
    project_id: project!.id,
  });
  expect(module.status, JSON.stringify(module.body)).toBe(201);
  const { id } = module.body.data;
  await signIn('qa');
  await page.goto(`/test-cases?project_id=${project!.id}&tree=${id}`);
  const tree = page.getByRole('complementary', { name: 'Project Modules' });
  const line = tree.getByRole('textbox', { name: 'Add a test case to Filled in the tree' });
  await line.fill('A parcel is weighed');
  await line.press('Enter');
  await line.fill('A parcel is measured');
  await line.press('Enter');
  await expect(tree.getByRole('treeitem', { name: /^Filled in the tree.*: 2$/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /A parcel is measured/ })).toBeVisible();
  await expect(line).toBeFocused();
  await expectAccessible(page);
  await tree.getByRole('treeitem', { name: /^Filled in the tree/ }).focus();
  await page.keyboard.press('ArrowUp');
  await expect(tree.getByRole('treeitem', { name: /^Filled in the tree/ })).not.toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(tree.getByRole('treeitem', { name: /^Filled in the tree/ })).toBeFocused();
  // All test cases are of no module: the line is there below the list alone.
  await tree.getByRole('treeitem', { name: /^All Test Cases/ }).click();
  await expect(tree.getByRole('textbox')).toHaveCount(0);
});
