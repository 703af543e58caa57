import { expect, test } from './support/test';

test('a developer sees clients, and is refused what the role does not grant', async ({ page, signIn, api }) => {
  await signIn('developer');
  await page.goto('/clients');
  await expect(page.getByRole('grid')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add Client' })).toBeHidden();
  await page.goto('/clients/create');
  await expect(page.getByRole('button', { name: 'Save' })).toBeHidden();

  const developer = await api('developer');
  const refused = await developer.send<{ message: string }>('POST', '/clients', { name: 'No' });
  expect(refused.status).toBe(403);
  expect(refused.body.message).toContain('create');
});

test('an external user sees only projects that they are members of', async ({ page, signIn, api }) => {
  await signIn('external');
  const external = await api('external');
  const answer = await external.send<{ id: number }[]>('GET', '/projects');
  expect(answer.body).toHaveLength(2);
  await page.goto('/projects');
  await expect(page.getByText('Total Records: 2')).toBeVisible();
  await page.goto('/users');
  await expect(page).not.toHaveURL(/\/users/);
});
