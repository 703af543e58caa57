import { chromium, type Locator, type Page } from '@playwright/test';
import { chromiumFlags, findChromium } from '../../scripts/find-chromium.mjs';
import type { BenchmarkCase, Finding } from '../case';
import type { BenchProgram } from '../program';

const ROUNDS = 9;
/** The target in milliseconds: an answer within it feels immediate. */
const FELT = 100;
/** How long the server takes longer for each answer, in milliseconds: what waits for it does not feel immediate. */
const SLOW = 600;

interface Action {
  readonly title: string;
  /** The key that is measured, or what is done instead. */
  readonly act: string | ((page: Page) => Promise<void>);
  /** The event from which it is measured; default: the key. */
  readonly event?: string;
  /** A selector of what it shows. */
  readonly resultSelector: string | (() => string);
  /** Leads to where the key is pressed; returns the text of what is shown, where that matters. */
  prepare(page: Page): Promise<string | void>;
  /** Leads back. */
  restore(page: Page): Promise<void>;
}

/** Actions on one screen. */
interface Screen {
  readonly path: string;
  /** There when the screen can be used. */
  readonly readySelector: string;
  readonly actions: readonly Action[];
}

const cell = '.MuiDataGrid-row [data-field="priority_id"]';
const settle = (page: Page) => page.waitForTimeout(SLOW * 2.5);
const leave = (page: Page) => page.keyboard.press('Escape');
const focusCell = (page: Page) => page.locator(cell).first().focus();
const textOf = async (locator: Locator) => (await locator.innerText()).trim();
/** Types the first letters of a priority that the first row does not have. */
const chooseAnother = async (page: Page) => {
  await focusCell(page);
  const words = (await textOf(page.locator(cell).first())) === 'Urgent' ? 'Low' : 'Urgent';
  await page.keyboard.press('Enter');
  const options = page.getByRole('dialog', { name: /^Priority of/ }).getByRole('option');
  await options.first().waitFor();
  await page.keyboard.type(words);
  // The searched option has arrived.
  await settle(page);
  await options.filter({ hasText: words }).waitFor();
  return words;
};
/** Sets another priority, and returns the one before it. */
const setAnother = async (page: Page) => {
  const previousText = await textOf(page.locator(cell).first());
  await chooseAnother(page);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await settle(page);
  await focusCell(page);
  return previousText;
};

const list: Screen = {
  path: '/test-cases',
  readySelector: cell,
  actions: [
    {
      title: 'Ctrl+K, until the palette is painted',
      act: 'Control+k',
      resultSelector: '[role="dialog"] [role="combobox"]',
      prepare: focusCell,
      restore: leave,
    },
    {
      title: 'Enter in a cell, until its choices are painted',
      act: 'Enter',
      resultSelector: '[role="dialog"] [role="combobox"]',
      prepare: focusCell,
      restore: leave,
    },
    { title: 'a value set in a cell', act: 'Enter', resultSelector: cell, prepare: chooseAnother, restore: settle },
    {
      title: 'Ctrl+Z after a value was set',
      act: 'Control+z',
      resultSelector: cell,
      prepare: setAnother,
      restore: settle,
    },
    {
      title: 'f, until the filters are painted',
      act: 'f',
      resultSelector: '[role="dialog"] #filters-title',
      prepare: focusCell,
      restore: leave,
    },
    {
      title: 'Save in the dialog of several records, until it says how far it is',
      act: 'Enter',
      resultSelector: '[role="progressbar"], [role="dialog"] [aria-busy="true"]',
      prepare: async (page) => {
        for (const index of [0, 1]) await page.locator('.MuiDataGrid-row input[type="checkbox"]').nth(index).check();
        await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Edit' }).first().click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('combobox', { name: 'New value' }).click();
        await page.getByRole('option').nth(1).click();
        await dialog.getByRole('button', { name: 'Save' }).focus();
      },
      restore: async (page) => {
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await settle(page);
      },
    },
    {
      title: 'the title of a row, until the form is painted',
      act: (page) => page.locator('.MuiDataGrid-row [data-field="name"] a').first().click(),
      event: 'click',
      resultSelector: '.form-frame',
      prepare: settle,
      restore: async (page) => {
        await page.goBack();
        await page.locator(cell).first().waitFor();
      },
    },
    {
      title: 'another tab, until it is the chosen one',
      act: (page) => page.getByRole('tab', { name: /^Closed/ }).click(),
      event: 'click',
      resultSelector: '[role="tab"][aria-selected="true"][id*="closed"]',
      prepare: settle,
      restore: async (page) => {
        await page.getByRole('tab', { name: /^Open/ }).click();
        await settle(page);
      },
    },
  ],
};

const views: Screen = {
  path: '/clients',
  readySelector: '.MuiDataGrid-row',
  actions: [
    {
      title: 'a saved view, until its tab is the chosen one',
      act: (page) => page.getByRole('tab', { name: /^By name/ }).click(),
      event: 'click',
      resultSelector: '[role="tab"][aria-selected="true"][id*="view-"]',
      prepare: settle,
      restore: async (page) => {
        await page.getByRole('tab').first().click();
        await settle(page);
      },
    },
  ],
};

const toggle = '.group-toggle';
const groups: Screen = {
  path: '/test-cases?group=status_id',
  readySelector: toggle,
  actions: [
    {
      title: 'the heading of a group, until it is folded',
      act: (page) => page.locator(toggle).first().click(),
      event: 'click',
      resultSelector: `${toggle}[aria-expanded="false"]`,
      prepare: settle,
      restore: async (page) => {
        await page.locator(toggle).first().click();
        await settle(page);
      },
    },
  ],
};

const column = (position: number) => `.board-column:nth-child(${position})`;
let movedTitle = '';
const inNextColumn = () => `${column(2)} [data-card="${movedTitle}"]:not([data-dragging])`;
const firstCard = async (page: Page) => {
  await settle(page);
  const card = page.locator(`${column(1)} [data-card]`).first();
  movedTitle = (await card.getAttribute('data-card'))!;
  return card;
};
/** A task asks for a comment: without one its card goes back. */
const takeBack = async (page: Page) => {
  await page.getByRole('dialog').getByRole('textbox').waitFor();
  await leave(page);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};
const board: Screen = {
  path: '/tasks?view=kanban',
  readySelector: `${column(1)} [data-card]`,
  actions: [
    {
      title: 'a card put into another column by keys',
      act: 'Space',
      resultSelector: inNextColumn,
      prepare: async (page) => {
        await (await firstCard(page)).focus();
        await page.keyboard.press('Space');
        await page.waitForTimeout(300);
        await page.keyboard.press('ArrowRight');
        await page.waitForTimeout(500);
      },
      restore: takeBack,
    },
    {
      title: 'a card dropped on another column',
      act: (page) => page.mouse.up(),
      event: 'mouseup',
      resultSelector: inNextColumn,
      prepare: async (page) => {
        const startBox = (await (await firstCard(page)).boundingBox())!;
        const endBox = (await page.locator(column(2)).boundingBox())!;
        await page.mouse.move(startBox.x + 60, startBox.y + startBox.height - 20);
        await page.mouse.down();
        await page.mouse.move(startBox.x + 75, startBox.y + startBox.height - 10, { steps: 4 });
        await page.mouse.move(endBox.x + endBox.width / 2, endBox.y + 150, { steps: 12 });
        await page.waitForTimeout(500);
      },
      restore: takeBack,
    },
  ],
};

/** From a key or a click to what it shows, with a slow server: the first time, which loads code, does not count. */
export const perceivedSpeed: BenchmarkCase = async ({ site }) => {
  const { program } = await site('small');
  await saveView(program);
  const screens = [list, views, groups, board];
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags() });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    await context.addInitScript((text) => localStorage.setItem('assay.session', text), program.session);
    await context.addInitScript({ path: 'bench/key-watch.mjs' });
    await context.route(
      (url) => url.pathname.startsWith('/api/') && !url.pathname.endsWith('/events'),
      async (route) => {
        await new Promise((resolve) => setTimeout(resolve, SLOW));
        await route.continue();
      },
    );
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const findings: Finding[] = [];
    for (const { path, readySelector, actions } of screens) {
      await page.goto(`${program.address}${path}`);
      await page.locator(readySelector).first().waitFor();
      for (const action of actions) {
        const took: number[] = [];
        for (let round = 0; round <= ROUNDS; round++) took.push(await measure(page, action));
        const sortedTimes = took.slice(1).sort((left, right) => left - right);
        const middle = sortedTimes[Math.floor(ROUNDS / 2)]!;
        findings.push({
          title: action.title,
          figures: `${middle.toFixed(0)} ms (median of ${ROUNDS}, most ${sortedTimes.at(-1)!.toFixed(0)}; at most ${FELT}; the server takes ${SLOW} longer)`,
          isReached: middle <= FELT,
        });
      }
    }
    return findings;
  } finally {
    await browser.close();
  }
};

/** A view of clients, so that there is one to change to. */
async function saveView({ address, token }: BenchProgram): Promise<void> {
  const response = await fetch(`${address}/api/views`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'By name', module: 'clients', audience: 'me', settings: { sort: '-name' } }),
  });
  if (!response.ok) throw new Error(`The view was not saved: ${await response.text()}`);
}

/** The milliseconds from the key, or the event, until what it shows was drawn. */
async function measure(
  page: Page,
  { act, event = 'keydown', resultSelector, prepare, restore }: Action,
): Promise<number> {
  const words = await prepare(page);
  const selector = typeof resultSelector === 'string' ? resultSelector : resultSelector();
  // Not awaited by the page's evaluation: it is done once it is watched.
  await page.evaluate(
    `void (window.answer = answered(${[selector, words, event].map((argument) => JSON.stringify(argument) ?? 'undefined').join()}))`,
  );
  await (typeof act === 'string' ? page.keyboard.press(act) : act(page));
  const took = (await page.evaluate('window.answer')) as number;
  await restore(page);
  await page.waitForTimeout(300);
  return took;
}
