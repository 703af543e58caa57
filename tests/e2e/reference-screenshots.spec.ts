import type { CDPSession, Page } from '@playwright/test';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createScratchFolder } from '../support/scratch-folder';
import { startProgram, type Program } from './support/program';
import { expect, testOn, title } from './support/test';

// Pictures for docs/reference: what appears for the smallest definitions of its pages. They are taken when they are asked
// for, like all pictures, and `npx tsx scripts/reference.ts` puts those that there are into the pages.

type Values = Readonly<Record<string, unknown>>;

/** The records of a page's picture, and the address below its last resource. */
interface Picture {
  /** By the name of a resource on the page. */
  readonly rows?: Readonly<Record<string, readonly Values[]>>;
  readonly path?: string;
  /** Done before the picture is taken, once the address was opened. */
  readonly open?: (page: Page, send: Send) => Promise<unknown>;
  readonly width?: number;
  readonly height?: number;
}

/** Sends a call of the API, and answers its text. */
type Send = (method: 'GET' | 'POST', path: string, data?: unknown) => Promise<string>;

const day = (shift: number) => new Date(Date.now() + shift * 86_400_000).toISOString().slice(0, 10);
const tasks = [
  { name: 'Order the lamps', state: 'open', due_on: day(1) },
  { name: 'Paint the hall', state: 'open', due_on: day(6) },
  { name: 'Measure the roof', state: 'done', due_on: day(-3) },
  { name: 'Call the electrician', state: 'open', due_on: day(2) },
];
const trips = [
  { name: 'Fair in Lyon', from_on: day(-2), until_on: day(1) },
  { name: 'Customers in Porto', from_on: day(0), until_on: day(3) },
  { name: 'Training', from_on: day(4), until_on: day(4) },
];
/** In the month that a calendar opens with. */
const tripsOfMonth = trips.map((trip, index) => {
  const dayOfMonth = (shift: number) => `${day(0).slice(0, 8)}${String(3 + index * 2 + shift).padStart(2, '0')}`;
  return { ...trip, from_on: dayOfMonth(0), until_on: dayOfMonth(3) };
});
const withoutDue = tasks.map(({ due_on: _, ...task }) => task);
const makers = [{ name: 'Nordlys' }, { name: 'Casa Luz' }];
/** The form of one item that has a value. */
const item = (values: Values): Picture => ({
  rows: { items: [{ name: 'Desk lamp', ...values }] },
  path: '/1/edit',
  height: 480,
});

const pictures: Readonly<Record<string, Picture>> = {
  list: { rows: { tasks }, height: 400 },
  filters: {
    rows: { tasks },
    open: (page) => page.getByRole('button', { name: /^Filters/ }).click(),
  },
  'saved-views': { rows: { tasks: withoutDue }, height: 420 },
  actions: {
    rows: { tasks: withoutDue },
    open: (page) =>
      page
        .getByRole('button', { name: /actions/i })
        .first()
        .click(),
  },
  board: { rows: { tasks }, path: '?view=kanban', height: 520 },
  calendar: { rows: { trips: tripsOfMonth }, path: '?view=calendar' },
  timeline: { rows: { trips }, path: '?view=timeline', height: 400 },
  charts: { rows: { tasks: withoutDue }, open: (page) => page.getByRole('button', { name: /charts/i }).click() },
  form: { rows: { tasks: [{ name: 'Paint the hall', note: 'White, two coats.' }] }, path: '/1/edit', height: 520 },
  comments: {
    rows: { tasks: [{ name: 'Paint the hall' }] },
    path: '/1/edit',
    open: async (page, send) => {
      const text = '<p>White, as the <strong>stairs</strong>?</p>';
      if (!(await send('GET', '/comments-tasks/1/comments')).includes('stairs'))
        await send('POST', '/comments-tasks/1/comments', { text, mentions: [], files: [] });
      await expect(page.getByText('White, as the')).toBeVisible();
    },
  },
  gallery: {
    rows: {
      rooms: [
        { name: 'Library', floor: 1 },
        { name: 'Workshop', floor: 0 },
        { name: 'Studio', floor: 2 },
      ],
    },
    path: '?view=gallery',
    height: 480,
  },
  import: {
    rows: { contacts: [{ name: 'Ada Larsen', email: 'ada@nordlys.test' }] },
    open: async (page) => {
      const lines = ['Name,Email', 'Ada Larsson,ada@nordlys.test', 'Rui Alves,rui@casaluz.test'];
      await page.goto('/imports');
      await page.getByRole('tab', { name: 'Import Contacts' }).click();
      await page.locator('#import-file').setInputFiles({
        ...{ name: 'contacts.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) },
      });
      const preview = page.getByRole('region', { name: 'Preview' });
      await expect(preview).toContainText('1 new, 1 changed');
      await preview.scrollIntoViewIfNeeded();
    },
  },
  print: {
    rows: { bills: [{ name: '2026-14', amount: 1250 }] },
    height: 300,
    open: async (page, send) => {
      const markup = await send('GET', '/print-bills/1/print');
      await page.goto('about:blank');
      await page.setContent(markup);
    },
  },
  public: {
    height: 480,
    open: async (page, send) => {
      const answer = await send('POST', '/public-forms', { resource: 'public-wishes' });
      const address = /\/form\/[\w-]{32}/.exec(answer);
      expect(address, answer).not.toBeNull();
      await page.goto(address![0]);
      await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
    },
  },
  page: { rows: { tasks: [{ name: 'Paint the hall', state: 'open', note: 'White, two coats.' }] }, path: '/1/view' },
  request: {
    rows: { leaves: [{ name: 'Two weeks in July', state: 'open' }] },
    path: '/1/edit',
    height: 360,
    open: async (page) => {
      await page.getByRole('button', { name: /^More actions/ }).click();
      await expect(page.getByRole('menuitem', { name: 'Approve' })).toBeVisible();
    },
  },
  tree: {
    rows: {
      places: [
        { name: 'House', parent_id: null },
        { name: 'Workshop', parent_id: 1 },
        { name: 'Hall', parent_id: 1 },
        { name: 'Yard', parent_id: null },
      ],
      assets: [
        { name: 'Drill', place_id: 2 },
        { name: 'Saw', place_id: 2 },
        { name: 'Ladder', place_id: 3 },
        { name: 'Trailer', place_id: 4 },
      ],
    },
    path: '?tree=1',
    width: 1100,
    height: 420,
    open: (page) => page.getByRole('treeitem', { name: /House/ }).press('ArrowRight'),
  },
  'fields/boolean': item({ is_active: true }),
  'fields/date': item({ due_on: day(3) }),
  'fields/datetime': item({ starts_at: `${day(3)}T09:30:00.000Z` }),
  'fields/duration': item({ day: day(0), start: '09:00', end: '11:30' }),
  'fields/email': item({ email: 'hello@nordlys.test' }),
  'fields/files': item({}),
  'fields/icon': item({ icon: 'globe' }),
  'fields/image': item({}),
  'fields/inverse': {
    rows: {
      makers,
      items: [
        { name: 'Desk lamp', maker_id: 1 },
        { name: 'Floor lamp', maker_id: 1 },
      ],
    },
    path: '/1/edit',
    height: 400,
  },
  'fields/json': item({ settings: { colour: 'white', watts: 9 } }),
  'fields/lookup': {
    rows: { makers: [{ name: 'Nordlys', country: 'Norway' }], items: [{ name: 'Desk lamp', maker_id: 1 }] },
    height: 360,
  },
  'fields/money': item({ price: 49.5 }),
  'fields/number': item({ score: 87 }),
  'fields/password': item({ secret: 'Quite-Secret-9' }),
  'fields/permissions': item({}),
  'fields/phone': item({ phone: '+49 30 1234567' }),
  'fields/relation': { rows: { makers, items: [{ name: 'Desk lamp', maker_id: 1 }] }, path: '/1/edit', height: 480 },
  'fields/relations': {
    rows: { makers, items: [{ name: 'Desk lamp', makers: [1, 2] }] },
    path: '/1/edit',
    height: 480,
  },
  'fields/richText': item({
    content: '<p>Warm white, <strong>dimmable</strong>.</p><ul><li>Cable of 2 m</li><li>Clamp</li></ul>',
  }),
  'fields/rollup': {
    rows: {
      makers,
      items: [
        { name: 'Desk lamp', price: 50, maker_id: 1 },
        { name: 'Floor lamp', price: 120, maker_id: 1 },
      ],
    },
  },
  'fields/rows': item({
    lines: [
      { article: 'Bulb', quantity: 2 },
      { article: 'Shade', quantity: 1 },
    ],
  }),
  'fields/select': item({ state: 'open' }),
  'fields/sequence': { rows: { items: [{ name: 'Desk lamp' }, { name: 'Floor lamp' }] } },
  'fields/shareLink': item({}),
  'fields/text': item({ code: 'DL-100' }),
  'fields/textarea': item({ description: 'A lamp for the desk.\nWith a clamp.' }),
  'fields/time': item({ opens_at: '08:30' }),
  'fields/url': item({ website: 'https://nordlys.test' }),
  // The last one: every screen shows the timer from then on.
  timer: {
    rows: { 'jobs-done': [{ name: 'Paint the hall' }] },
    open: async (page, send) => {
      if (!(await send('GET', '/timer')).includes('started_at'))
        await send('POST', '/timer', { resource: 'timer-hours', record: 1 });
      await page.goto('/timer-jobs-done');
      await page.getByRole('button', { name: 'More actions for Paint the hall' }).click();
      await expect(page.getByRole('menuitem', { name: 'Start timer' })).toBeVisible();
    },
    height: 360,
  },
};

interface Definition {
  readonly name: string;
  readonly fields: object;
}

const prefixOf = (page: string) => page.replace('fields/', '').toLowerCase();

/** The definitions that a page shows before its tables. */
function definitionsOf(page: string): Definition[] {
  const text = readFileSync(`docs/reference/${page}.md`, 'utf8').split('<!-- keys:')[0]!;
  return [...text.matchAll(/^```json\n([^]*?)\n```$/gm)]
    .map(([, json]) => JSON.parse(json!) as Definition)
    .filter(({ name, fields }) => name !== undefined && fields !== undefined);
}

/** A product of the definitions of all pages. Several pages have "items": each gets the name of its page before its own. */
function writeProduct(): string {
  const folder = createScratchFolder('assay-reference-');
  mkdirSync(join(folder, 'resources'));
  for (const page of Object.keys(pictures)) {
    const definitions = definitionsOf(page);
    for (const { name } of definitions) {
      let text = JSON.stringify({ ...definitions.find((one) => one.name === name), grants: { 2: 'all' } });
      for (const other of definitions)
        text = text.replace(
          new RegExp(`"${other.name}(?=["./])`, 'g'),
          (start) => `"${prefixOf(page)}-${start.slice(1)}`,
        );
      // A field may be called as a resource: it keeps its name.
      for (const other of definitions) text = text.replaceAll(`"${prefixOf(page)}-${other.name}":`, `"${other.name}":`);
      writeFileSync(join(folder, 'resources', `${prefixOf(page)}-${name}.json`), text);
    }
  }
  writeFileSync(
    join(folder, 'demo.json'),
    JSON.stringify({
      company: { name: 'Lindgren', time_zone: 'Europe/Berlin', city: 'Malmö', country: 'Sweden' },
      accounts: {
        admin: { email: 'admin@demo.test', role_id: 1, first_name: 'Ines', last_name: 'Novak' },
        owner: { email: 'owner@demo.test', role_id: 2, first_name: 'Tomas', last_name: 'Novak' },
      },
      records: [],
    }),
  );
  return folder;
}

/** Starts the program with a product that is removed when it ends. */
async function startPictures(): Promise<Program> {
  const product = writeProduct();
  const program = await startProgram({ ASSAY_PRODUCT: product });
  const stop = async () => {
    await program.stop();
    rmSync(product, { recursive: true, force: true });
  };
  return { ...program, stop };
}

const test = testOn((programs, file) => programs.ofFile(file, startPictures));
test.describe.configure({ mode: 'default', timeout: 600_000 });

test('pictures of the smallest definitions are taken, light and dark', async ({ page, baseURL }) => {
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
  await page.goto('/auth/login');
  await page.getByRole('button', { name: /owner@demo\.test/ }).click();
  await expect(title(page)).toHaveText(/^Welcome/);
  const { token } = JSON.parse(await page.evaluate(() => localStorage.getItem('assay.session')!)) as { token: string };
  const browser = await page.context().newCDPSession(page);
  const send: Send = async (method, path, data) => {
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await page.request.fetch(`${baseURL}/api${path}`, { method, headers, data });
    expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
    return answer.text();
  };
  const only = process.env.PICTURES?.split(',');
  for (const [name, picture] of Object.entries(pictures).filter(([one]) => !only || only.includes(one))) {
    for (const [resource, rows] of Object.entries(picture.rows ?? {}))
      for (const data of rows) {
        await send('POST', `/${prefixOf(name)}-${resource}`, data);
      }
    const resource = definitionsOf(name).at(-1)!.name;
    await page.setViewportSize({ width: picture.width ?? 1000, height: picture.height ?? 600 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ reducedMotion: 'reduce', colorScheme });
      await page.goto(`/${prefixOf(name)}-${resource}${picture.path ?? ''}`);
      await expect(title(page)).not.toBeEmpty();
      await expect(page.locator('.skeleton, [aria-busy=true]')).toHaveCount(0);
      await expect(page.getByRole('progressbar')).toHaveCount(0);
      await picture.open?.(page, send);
      await take(browser, page, `docs/screenshots/reference/${name}-${colorScheme}.webp`);
    }
  }
});

/** Writes what is visible beside the menu, as WebP of at most 40 kB. */
async function take(browser: CDPSession, page: Page, file: string): Promise<void> {
  const menu = page.locator('[aria-label=Main]');
  const left = (await menu.count()) > 0 ? (await menu.boundingBox())!.width : 0;
  const { width, height } = page.viewportSize()!;
  const clip = { x: left, y: 0, width: width - left, height, scale: 1 };
  const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: 80, clip });
  const bytes = Buffer.from(data, 'base64');
  expect(bytes.length, file).toBeLessThanOrEqual(40_000);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}
