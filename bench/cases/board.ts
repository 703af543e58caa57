import { chromium, type Browser } from '@playwright/test';
import { chromiumFlags, findChromium } from '../../scripts/find-chromium.mjs';
import type { BenchmarkCase } from '../case';
import { openTasks } from '../open-tasks';
import type { BenchProgram } from '../program';

const OPEN = 2_000;
const ROUNDS = 5;

/** The board with 2,000 open tasks: from the address to painted cards in every column, in a browser that knows nothing. */
export const board: BenchmarkCase = async ({ site }) => {
  const { program, client } = await site('small');
  const open = await openTasks(client, OPEN);
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags() });
  try {
    await paint(browser, program);
    const took: Painted[] = [];
    for (let round = 0; round < ROUNDS; round++) took.push(await paint(browser, program));
    const middle = (name: 'first' | 'all') =>
      took.map((times) => times[name]).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
    return [
      {
        title: `board, ${open.toLocaleString('en')} open tasks`,
        figures:
          `first cards painted after ${middle('first').toFixed(0)} ms, every column after ${middle('all').toFixed(0)} ms` +
          ` (${took[0]!.cards} cards; nothing cached, median of ${ROUNDS})`,
      },
    ];
  } finally {
    await browser.close();
  }
};

interface Painted {
  readonly first: number;
  readonly all: number;
  readonly cards: number;
}

/** Opens the board in its own browser context. Milliseconds since the navigation began. */
async function paint(browser: Browser, { address, session }: BenchProgram): Promise<Painted> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  try {
    const page = await context.newPage();
    await page.addInitScript((text) => {
      localStorage.setItem('assay.session', text);
      localStorage.setItem('listView', 'kanban');
    }, session);
    await page.addInitScript({ path: 'bench/board-watch.mjs' });
    await page.goto(`${address}/tasks`, { waitUntil: 'commit' });
    await page.waitForSelector('.board-card:not([aria-hidden])');
    return (await page.evaluate('window.boardPainted')) as Painted;
  } finally {
    await context.close();
  }
}
