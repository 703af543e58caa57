import { expect, test, type Page } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildName, removeUnusedBuilds } from '../../scripts/build-stale.mjs';
import { freePort } from '../../src/server/database/embedded/free-port';
import { shownShop } from '../support/extending-blocks';

// A product in a folder outside the repository, with code for server and browser: that of docs/extending.md, as written there.

/** Builds come before the start, and again after changes: only what never comes is a failure. */
const buildTimeout = 400_000;
test.setTimeout(3 * buildTimeout);

const account = { email: 'admin@shop.test', password: 'Steel-Harbour-42' };

/** Starts the product by a script of the program, with a database of its own, and waits until it answers. */
async function startShop(script: string) {
  const parent = mkdtempSync(join(tmpdir(), 'assay-outside-'));
  const folder = join(parent, 'shop');
  for (const { file, code } of shownShop()) {
    mkdirSync(dirname(join(parent, file)), { recursive: true });
    writeFileSync(join(parent, file), code);
  }
  const origin = `http://127.0.0.1:${await freePort()}`;
  const program = spawn(process.execPath, [script, '--product', folder], {
    env: {
      ...process.env,
      NODE_ENV: 'development',
      PORT: new URL(origin).port,
      HOST: '127.0.0.1',
      PUBLIC_URL: origin,
      DATA_DIR: join(parent, 'data'),
      DEMO: '0',
      ADMIN_EMAIL: account.email,
      ADMIN_PASSWORD: account.password,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(program, 'exit');
  let output = '';
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const state = async () => {
    if (program.exitCode !== null) return output;
    return (await fetch(`${origin}/api/health`).catch(() => undefined))?.ok ? 'ready' : 'starting';
  };
  await expect.poll(async () => (await state()) !== 'starting', { timeout: buildTimeout }).toBe(true);
  expect(await state()).toBe('ready');
  const post = async (path: string, body: object, token?: string) => {
    const response = await fetch(`${origin}/api/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const session = (await post('login', account)).body as { token: string };
  return {
    folder,
    /** All that the program has printed. */
    output: () => output,
    create: (values: object, resource = 'reviews') => post(resource, values, session.token),
    /** Opens a page, signed in: by default the list of reviews. */
    async open(page: Page, path = '/reviews'): Promise<void> {
      await page.addInitScript(
        (text) => localStorage.setItem('assay.session', text),
        JSON.stringify((await post('login', account)).body),
      );
      await page.goto(origin + path);
    },
    /** Ends it, and removes its folder. */
    async stop(): Promise<void> {
      if (program.exitCode === null) program.kill('SIGTERM');
      await ended;
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

const stars = (page: Page, label: string) => page.getByRole('grid').getByRole('img', { name: label });

test('the code of a product outside the repository runs in server and browser', async ({ page }) => {
  const shop = await startShop('scripts/start.mjs');
  try {
    expect(await shop.create({ name: 'Good', stars: 4 })).toMatchObject({ status: 201, body: { stars: 4, place: 1 } });
    expect(await shop.create({ name: 'Better', stars: 5 })).toMatchObject({
      status: 201,
      body: { stars: 5, place: 2 },
    });
    expect(await shop.create({ name: 'Too much', stars: 6 })).toMatchObject({ status: 422 });
    expect(JSON.stringify(await shop.create({ name: 'nothing' }))).toContain('Say more.');
    await shop.open(page);
    await expect(stars(page, '5 stars')).toHaveText('★★★★★');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Stars' }).click();
    await expect(page.getByText('4.5 stars on average, of 2 reviews')).toBeVisible();
  } finally {
    await shop.stop();
  }
});

/** Whether the page has loaded a script with the stock grid of react-admin. */
const hasStockGrid = (page: Page) =>
  page.evaluate(async () => {
    const paths = performance.getEntriesByType('resource').map(({ name }) => name);
    const scripts = paths.filter((path) => path.endsWith('.js'));
    const codes = await Promise.all(scripts.map(async (path) => (await fetch(path, { cache: 'force-cache' })).text()));
    return codes.some((code) => code.includes('RaDatagrid'));
  });

test("a product's tab of a form shows the records of react-admin's stock components, which only the tab loads", async ({
  page,
}) => {
  const shop = await startShop('scripts/start.mjs');
  try {
    await shop.create({ name: 'Kettle' }, 'products');
    await shop.create({ name: 'Toaster' }, 'products');
    await shop.create({ name: 'Too loud', stars: 2, product_id: 1 });
    await shop.create({ name: 'Boils at once', stars: 5, product_id: 1 });
    await shop.create({ name: 'Burns', stars: 3, product_id: 2 });
    await shop.open(page, '/products/1');
    await page.getByRole('tab', { name: /^Reviews/ }).waitFor();
    expect(await hasStockGrid(page)).toBe(false);
    await page.getByRole('tab', { name: /^Reviews/ }).click();
    const cells = page.getByRole('tabpanel').getByRole('cell');
    await expect(cells).toHaveText(['Boils at once', '5', 'Too loud', '2']);
    expect(await hasStockGrid(page)).toBe(true);
    // Sorted by the server.
    await page.getByRole('button', { name: 'Sort by Stars ascending' }).click();
    await expect(cells).toHaveText(['Too loud', '2', 'Boils at once', '5']);
  } finally {
    await shop.stop();
  }
});

test("a product's screen of react-admin's stock components sorts, filters, resolves references, exports and deletes", async ({
  page,
}) => {
  const shop = await startShop('scripts/start.mjs');
  try {
    await shop.create({ name: 'Kettle' }, 'products');
    await shop.create({ name: 'Toaster' }, 'products');
    await shop.create({ name: 'Too loud', stars: 2, product_id: 1 });
    await shop.create({ name: 'Boils at once', stars: 5, product_id: 1 });
    await shop.create({ name: 'Burns', stars: 3, product_id: 2 });
    await shop.open(page, '/best');
    const cells = page.locator('tbody').getByRole('cell').filter({ hasText: /./ });
    await expect(cells).toHaveText([
      'Boils at once',
      '5',
      'Kettle',
      'Burns',
      '3',
      'Toaster',
      'Too loud',
      '2',
      'Kettle',
    ]);
    // The definition's labels head the columns, and the header stands above the rows.
    await expect(page.getByRole('columnheader')).toHaveText(['', 'Name', 'Stars', 'Product']);
    const [head, row] = await Promise.all(
      [page.getByRole('columnheader').nth(1), cells.first()].map((part) => part.boundingBox()),
    );
    expect(head!.y + head!.height).toBeLessThanOrEqual(row!.y);

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    expect(readFileSync(await (await download).path(), 'utf8')).toContain('Boils at once');

    await page.getByRole('button', { name: 'Sort by Name ascending' }).click();
    await expect(cells).toHaveText([
      'Boils at once',
      '5',
      'Kettle',
      'Burns',
      '3',
      'Toaster',
      'Too loud',
      '2',
      'Kettle',
    ]);
    await page.getByRole('button', { name: 'Sort by Name descending' }).click();
    await expect(cells.first()).toHaveText('Too loud');
    await page.getByText('3 of 5').click();
    await expect(cells).toHaveText(['Burns', '3', 'Toaster']);
    await page.getByText('3 of 5').click();
    await expect(cells).toHaveCount(9);

    for (const name of ['Too loud', 'Burns']) await page.getByRole('row', { name }).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('dialog')).toContainText('Delete 2 Reviews');
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await expect(cells).toHaveText(['Boils at once', '5', 'Kettle']);
  } finally {
    await shop.stop();
  }
});

test("a product's layout shows the records, order, search and page of a generated list, in its address and saved views", async ({
  page,
}) => {
  const shop = await startShop('scripts/start.mjs');
  try {
    await shop.create({ name: 'Kettle' }, 'products');
    await shop.create({ name: 'Too loud', stars: 2, product_id: 1 });
    await shop.create({ name: 'Boils at once', stars: 5, product_id: 1 });
    await shop.open(page);
    await stars(page, '5 stars').waitFor();
    await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'Table' }).click();
    await expect(page).toHaveURL(/\?view=review-table$/);
    const cells = page.locator('tbody').getByRole('cell');
    await expect(cells).toHaveText(['Boils at once', '5', 'Kettle', 'Too loud', '2', 'Kettle']);
    await page.getByRole('button', { name: 'Sort by Stars ascending' }).click();
    await expect(cells).toHaveText(['Too loud', '2', 'Kettle', 'Boils at once', '5', 'Kettle']);
    await expect(page).toHaveURL(/sort=stars/);
    await page.getByRole('searchbox').fill('boils');
    await expect(cells).toHaveText(['Boils at once', '5', 'Kettle']);
    await page.getByRole('searchbox').fill('');
    await expect(cells).toHaveCount(6);
    // Remembered for the next visit.
    await page.goto(new URL('/reviews', page.url()).href);
    await expect(cells).toHaveCount(6);
    const settings = { module: 'reviews', name: 'Best first', settings: { view: 'review-table', sort: '-stars' } };
    const saved = await shop.create(settings, 'views');
    expect(saved.status).toBe(201);
    expect((await shop.create({ ...settings, settings: { view: 'no-such' } }, 'views')).status).toBe(422);
    await page.goto(new URL(`/reviews?view=${String(saved.body.id)}`, page.url()).href);
    await expect(cells).toHaveText(['Boils at once', '5', 'Kettle', 'Too loud', '2', 'Kettle']);
    await expect(page).toHaveURL(/layout=review-table/);
  } finally {
    await shop.stop();
  }
});

test('`npm run dev` takes changes of that code into the server and the open page, and its builds go with its folder', async ({
  page,
}) => {
  const shop = await startShop('scripts/dev.mjs');
  const change = (file: string, from: string, to: string) => {
    const path = join(shop.folder, file);
    const code = readFileSync(path, 'utf8');
    expect(code).toContain(from);
    writeFileSync(path, code.replace(from, to));
  };
  const builds = ['products/', 'server-', 'vite-'].map((stem) => `dist/${stem}${buildName(shop.folder)}`);
  try {
    expect(await shop.create({ name: 'Good', stars: 4 })).toMatchObject({ status: 201, body: { stars: 4, place: 1 } });
    await shop.open(page);
    await expect(stars(page, '4 stars')).toHaveText('★★★★', { timeout: buildTimeout });
    change('browser.tsx', "'★'.repeat(value)", "'✦'.repeat(value)");
    await expect(stars(page, '4 stars')).toHaveText('✦✦✦✦', { timeout: buildTimeout });
    change('index.ts', '.count + 1', '.count + 100');
    let count = 0;
    const place = async () => {
      const { status, body } = await shop
        .create({ name: `Review ${++count}`, stars: 3 })
        .catch(() => ({ status: 0, body: {} }));
      return status === 201 ? (body as { place: number }).place : 0;
    };
    await expect.poll(place, { timeout: buildTimeout }).toBeGreaterThan(100);
    // A mistake is told and ends nothing: the next change is taken again.
    change('index.ts', 'hooks: { countReviews }', 'hooks: { countReviews ');
    await expect.poll(() => shop.output(), { timeout: buildTimeout }).toMatch(/shop\/index\.ts/);
    expect((await shop.create({ name: 'Meanwhile', stars: 3 })).status).toBe(201);
    change('index.ts', 'hooks: { countReviews ', 'hooks: { countReviews }');
    change('index.ts', '.count + 100', '.count + 1000');
    await expect.poll(place, { timeout: buildTimeout }).toBeGreaterThan(1000);
    removeUnusedBuilds();
    expect(builds.map((path) => existsSync(path))).toEqual([true, true, true]);
  } finally {
    await shop.stop();
  }
  removeUnusedBuilds();
  expect(builds.filter((path) => existsSync(path))).toEqual([]);
});
