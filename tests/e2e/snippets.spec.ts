import { expect, expectAccessible, test } from './support/test';

test('a snippet is inserted by keys into a comment and into a formatted text, with the values of the record', async ({
  page,
  signIn,
  api,
}) => {
  const owner = await api('owner');
  const { body: projects } = await owner.send<{ id: number }[]>('GET', '/projects?q=Shipment');
  const requirement = await owner.send<{ data: { id: number } }>('POST', '/requirements', {
    name: 'Answered twice',
    project_id: projects[0]!.id,
  });
  const { id } = requirement.body.data;
  const snippet = await owner.send<{ id: number }>('POST', '/snippets', {
    title: 'Please test it again',
    text: '<p>Please test <strong>{name}</strong> of {project.name} again</p>',
    audience: 'everyone',
    modules: 'requirements',
  });
  expect(snippet.status, JSON.stringify(snippet.body)).toBe(201);
  const search = page.getByRole('combobox', { name: 'Search snippets' });
  const option = page.getByRole('option', { name: 'Please test it again' });

  await signIn('manager');
  await page.goto(`/requirements/${id}`);
  await page.getByRole('button', { name: 'Write a comment…' }).press('Enter');
  const comment = page.getByRole('textbox', { name: 'New comment' });
  await expect(comment).toBeFocused();
  await page.keyboard.type('Hello! ');
  await page.keyboard.press('Control+;');
  await expect(search).toBeFocused();
  await page.keyboard.type('again');
  await expect(option).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(comment).toBeFocused();
  const words = /Hello! Please test Answered twice of .*Shipment.* again/;
  await expect(comment).toHaveText(words);
  await page.keyboard.type(', please.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('list', { name: 'Comments, newest first' })).toContainText(/ again, please\./);

  await page.goto(`/requirements/${id}/edit`);
  await page.getByRole('textbox', { name: 'Title' }).fill('Answered three times');
  const description = page.getByRole('textbox', { name: 'Description' });
  await description.focus();
  await page.keyboard.press('Control+;');
  await expect(option).toBeVisible();
  // Escape leads back to the text, at once: what the next key opens keeps the focus, however late a frame is drawn.
  await page.evaluate(() => {
    const frame = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (run) => frame(() => void setTimeout(() => run(performance.now()), 300));
  });
  await page.keyboard.press('Escape');
  await expect(description).toBeFocused();
  await page.keyboard.press('Control+;');
  await expect(option).toBeVisible();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(search).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(description).toHaveText(/^Please test Answered three times of .*Shipment.* again$/);
  await page.keyboard.press('Control+s');
  const stored = async () =>
    (await owner.send<{ data: { description: string } }>('GET', `/requirements/${id}`)).body.data.description;
  await expect.poll(stored).toContain('<strong>Answered three times</strong>');

  await owner.send('DELETE', `/requirements/${id}`);
  await owner.send('DELETE', `/snippets/${snippet.body.id}`);
});
