import { expect, expectAccessible, openSession } from './support/test';
import { test } from './support/own-program';

test('an import whose server is killed says so, once the server runs again', async ({ page, signIn, program }) => {
  const { token } = await openSession(program.url, 'owner');
  const headers = { authorization: `Bearer ${token}` };
  const rows = Array.from({ length: 20_000 }, (_, index) => `Row ${index}`);
  const form = new FormData();
  const projects = await (await fetch(`${program.url}/api/projects`, { headers })).json();
  form.append('project_id', String((projects as { id: number }[])[0]!.id));
  form.append('import_file', new Blob([['Title', ...rows].join('\n')]), 'long.csv');
  const answer = fetch(`${program.url}/api/test-cases/import`, { method: 'POST', headers, body: form });
  // Cut off, as the server dies.
  const cut = expect(answer).rejects.toThrow();
  const last = async () => {
    const { data } = (await (await fetch(`${program.url}/api/imports?type=test-cases`, { headers })).json()) as {
      data: { state: string; imported: number }[];
    };
    return data[0];
  };
  await expect.poll(async () => (await last())?.imported ?? 0, { intervals: [50] }).toBeGreaterThan(0);
  expect((await last())?.state).toBe('running');
  await program.crash();
  await cut;
  expect((await last())?.state).toBe('interrupted');

  await signIn('owner');
  await page.goto('/imports');
  await page.getByRole('tab', { name: 'Import Test Cases' }).click();
  const line = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'long.csv' }) });
  await expect(line).toContainText(/Interrupted, as the server stopped, after at least [\d,]+ of 20,000 rows/);
  await expectAccessible(page);
});
