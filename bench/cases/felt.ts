import { chromium, type Page } from '@playwright/test';
import { chromiumFlags, findChromium } from '../../scripts/find-chromium.mjs';
import type { BenchmarkCase, Finding } from '../case';

const ROUNDS = 9;
/** The target in milliseconds: an answer within it feels immediate. */
const FELT = 100;
/** How long the server takes longer for a write, in milliseconds: what waits for it does not feel immediate. */
const SLOW_WRITE = 600;

interface Action {
  readonly what: string;
  /** The key that is measured. */
  readonly key: string;
  /** A selector of what it shows. */
  readonly shows: string;
  /** Leads to where the key is pressed; returns the text of what is shown, where that matters. */
  before(page: Page): Promise<string | undefined>;
  /** Leads back. */
  after(page: Page): Promise<void>;
}

const cell = '.MuiDataGrid-row [data-field="priority_id"]';
const leave = (page: Page) => page.keyboard.press('Escape');
const focusCell = async (page: Page) => {
  await page.locator(cell).first().focus();
  return undefined;
};
/** Types the first letters of a priority that the first row does not have. */
const chooseAnother = async (page: Page) => {
  await focusCell(page);
  const words = (await page.locator(cell).first().innerText()).trim() === 'Urgent' ? 'Low' : 'Urgent';
  await page.keyboard.press('Enter');
  const options = page.getByRole('dialog', { name: /^Priority of/ }).getByRole('option');
  await options.first().waitFor();
  await page.keyboard.type(words);
  await options.nth(1).waitFor({ state: 'detached' });
  return words;
};

const actions: readonly Action[] = [
  {
    what: 'Ctrl+K, until the palette is painted',
    key: 'Control+k',
    shows: '[role="dialog"] [role="combobox"]',
    before: focusCell,
    after: leave,
  },
  {
    what: 'Enter in a cell, until its choices are painted',
    key: 'Enter',
    shows: '[role="option"]',
    before: focusCell,
    after: leave,
  },
  {
    what: `a value set in a cell, with a server that takes ${SLOW_WRITE} ms for it`,
    key: 'Enter',
    shows: cell,
    before: chooseAnother,
    after: (page) => page.waitForTimeout(SLOW_WRITE * 2),
  },
  {
    what: 'f, until the filters are painted',
    key: 'f',
    shows: '[role="dialog"] #filters-title',
    before: focusCell,
    after: leave,
  },
];

/** From a key to what it shows, in a list of test cases: the first press, which loads code, does not count. */
export const felt: BenchmarkCase = async ({ site }) => {
  const { program } = await site('small');
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags() });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    await context.addInitScript((text) => localStorage.setItem('assay.session', text), program.session);
    await context.addInitScript({ path: 'bench/key-watch.mjs' });
    await context.route('**/api/**', async (route) => {
      if (route.request().method() === 'PUT') await new Promise((done) => setTimeout(done, SLOW_WRITE));
      await route.continue();
    });
    const page = await context.newPage();
    await page.goto(`${program.address}/test-cases`);
    await page.locator(cell).first().waitFor();
    const found: Finding[] = [];
    for (const action of actions) {
      const took: number[] = [];
      for (let round = 0; round <= ROUNDS; round++) took.push(await measure(page, action));
      const sorted = took.slice(1).sort((one, other) => one - other);
      const middle = sorted[Math.floor(ROUNDS / 2)]!;
      found.push({
        what: action.what,
        figures: `${middle.toFixed(0)} ms (median of ${ROUNDS}, most ${sorted.at(-1)!.toFixed(0)}; at most ${FELT})`,
        reached: middle <= FELT,
      });
    }
    return found;
  } finally {
    await browser.close();
  }
};

/** The milliseconds from the key until what it shows was drawn. */
async function measure(page: Page, { key, shows, before, after }: Action): Promise<number> {
  const words = await before(page);
  // Not awaited by the page's evaluation: the key is pressed once it is watched.
  await page.evaluate(`void (window.answer = answered(${JSON.stringify(shows)}, ${JSON.stringify(words)}))`);
  await page.keyboard.press(key);
  const took = (await page.evaluate('window.answer')) as number;
  await after(page);
  await page.waitForTimeout(300);
  return took;
}
