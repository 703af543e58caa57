import { definitionScreens, visit } from './support/all-screens';
import { measureColumns } from './support/columns';
import { expect, test } from './support/test';

/** Columns are sized by the values of the page; a title is only cut where no other column has room to spare. */

const widths = [1024, 1440, 1920];
const mostSpare = 16;

test('no list cuts a title while another of its columns has room to spare, and rows begin high', async ({
  page,
  signIn,
  api,
}) => {
  test.setTimeout(240_000);
  const admin = await api('admin');
  const lists = (await definitionScreens(admin)).filter(({ path }) => /^\/[a-z-]+$/.test(path));
  expect(lists.length).toBeGreaterThan(20);
  interface Sized {
    readonly name: string;
    readonly list: { readonly columns: readonly { readonly field: string; readonly width?: number }[] };
  }
  const { data: definitions } = (await admin.send<{ data: Sized[] }>('GET', '/definitions')).body;
  /** Columns whose width the definition says, as of strips and bars. */
  const sizedOf = (path: string) =>
    definitions
      .find(({ name }) => path === `/${name}`)!
      .list.columns.flatMap(({ field, width }) => (width === undefined ? [] : [field]));
  await signIn('admin');
  await page.goto('/profile');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const problems: string[] = [];
  let listCount = 0;
  for (const screen of lists) {
    await page.setViewportSize({ width: widths[0]!, height: 900 });
    await visit(page, screen);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      if ((await page.locator('.MuiDataGrid-row').count()) === 0) continue;
      const { cutTitles, spare, firstRow } = await measureColumns(page);
      listCount++;
      const sized = sizedOf(screen.path);
      const wide = Object.entries(spare).filter(([field, pixels]) => pixels > mostSpare && !sized.includes(field));
      if (cutTitles.length > 0 && wide.length > 0)
        problems.push(
          `${screen.path} at ${width}: cut ${cutTitles[0]}, spare ${JSON.stringify(Object.fromEntries(wide))}`,
        );
      const hasTabs = (await page.getByRole('tablist').count()) > 0;
      const highest = hasTabs ? 190 : 150;
      if (firstRow > highest) problems.push(`${screen.path} at ${width}: its first row begins at ${firstRow}`);
    }
  }
  expect(listCount).toBeGreaterThan(50);
  expect(problems).toEqual([]);
});

test('at 1,440 pixels no list cuts a text of a column but the title', async ({ page, signIn }) => {
  await signIn('owner');
  await page.goto('/profile');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  const names = ['test-cases', 'tasks', 'requirements', 'time-logs', 'projects', 'clients', 'users'];
  for (const path of [...names, 'test-runs', 'milestones'].map((name) => `/${name}`)) {
    await visit(page, { path });
    await expect(page.locator('.MuiDataGrid-row').first()).toBeVisible();
    // The code of some values loads after the rows, and makes their columns wider.
    await expect.poll(async () => (await measureColumns(page)).cutTexts, { message: path }).toEqual([]);
  }
});
