import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { chromiumFlags, findChromium } from '../../scripts/find-chromium.mjs';
import type { BenchmarkCase } from '../case';
import { startProgram, type BenchProgram } from '../program';
import { join } from 'node:path';

const ROUNDS = 5;
const row = '.MuiDataGrid-row';

/** Screens opened from a list for the first time in a session, with what identifies them once loaded. */
const nextScreens = {
  form: { path: '/test-cases/1', selector: 'form input' },
  board: { path: '/tasks?view=kanban', selector: '.board-card:not([aria-hidden])' },
  dashboard: { path: '/dashboard', selector: '[data-list] b.num:not(:has(span))' },
} as const;

interface Opened {
  readonly paint: number;
  readonly row: number;
  /** Milliseconds of work on the main thread. */
  readonly main: number;
  readonly kB: number;
  readonly requests: number;
}

/**
 * The first row of test cases in a browser that has never been here, and in one that comes back; then the first form,
 * board and dashboard. With BENCH_BEFORE, the folder of another checkout that is built, its screens are measured in turns.
 */
export const screens: BenchmarkCase = async (stage) => {
  const { program, url } = await stage.site('small');
  const previousRoot = process.env.BENCH_BEFORE;
  const programs: [string, BenchProgram][] = [['', program]];
  if (previousRoot)
    programs.push([' before', await startProgram(url, join(stage.folder, 'before'), { root: previousRoot })]);
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags() });
  const took = new Map<string, Opened[]>();
  const note = (title: string, figures: Opened) => took.set(title, [...(took.get(title) ?? []), figures]);
  try {
    for (const [name, benchProgram] of programs) await visit(browser, benchProgram, name, () => undefined);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, benchProgram] of programs) await visit(browser, benchProgram, name, note);
    }
  } finally {
    await browser.close();
    for (const [, benchProgram] of programs.slice(1)) await benchProgram.stop();
  }
  return [...took].map(([title, rounds]) => {
    const middle = (key: keyof Opened) =>
      rounds.map((round) => round[key]).sort((a, b) => a - b)[Math.floor(rounds.length / 2)]!;
    return {
      title,
      figures: `there after ${middle('row').toFixed(0)} ms, first paint after ${middle('paint').toFixed(0)} ms, main thread ${middle('main').toFixed(0)} ms, ${middle('requests').toFixed(0)} requests, ${middle('kB').toFixed(0)} kB (median of ${rounds.length})`,
    };
  });
};

async function visit(
  browser: Browser,
  { address, session }: BenchProgram,
  name: string,
  note: (title: string, opened: Opened) => void,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  try {
    await context.addInitScript((text) => localStorage.setItem('assay.session', text), session);
    await context.addInitScript({ path: 'bench/screen-watch.mjs' });
    note(`first row of test cases, cold${name}`, await open(context, `${address}/test-cases`, row));
    await open(context, `${address}/test-cases`, row);
    note(`first row of test cases, warm${name}`, await open(context, `${address}/test-cases`, row));
    for (const [screen, { path, selector }] of Object.entries(nextScreens)) {
      note(`list to ${screen}, first time${name}`, await fromList(browser, address, session, path, selector));
    }
  } finally {
    await context.close();
  }
}

/** Opens a URL in its own page, and waits until its last request is recorded. */
async function open(context: BrowserContext, address: string, selector: string): Promise<Opened> {
  const page = await context.newPage();
  const measured = await watch(page);
  await page.goto(address, { waitUntil: 'commit' });
  const paintTime = (await page.evaluate(`painted(${JSON.stringify(selector)})`)) as number;
  const figures = await measured(paintTime);
  await page.waitForFunction(() => performance.now() > 4_500);
  await page.close();
  return figures;
}

/** Navigates from a list to a screen with the application's router, like a click. */
async function fromList(browser: Browser, address: string, session: string, path: string, selector: string) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  try {
    await context.addInitScript((text) => localStorage.setItem('assay.session', text), session);
    await context.addInitScript({ path: 'bench/screen-watch.mjs' });
    const page = await context.newPage();
    await page.goto(`${address}/test-cases`);
    await page.waitForSelector(row);
    // The work of a list after its rows are loaded must not count for the next screen.
    await page.waitForTimeout(1_000);
    const measured = await watch(page);
    const startTime = (await page.evaluate((targetPath) => {
      const now = performance.now();
      history.pushState(null, '', targetPath);
      dispatchEvent(new PopStateEvent('popstate', { state: null }));
      return now;
    }, path)) as number;
    const paintTime = (await page.evaluate(`painted(${JSON.stringify(selector)})`)) as number;
    return await measured(paintTime - startTime);
  } finally {
    await context.close();
  }
}

/** Starts counting; returns a function that gives the figures. */
async function watch(page: Page): Promise<(there: number) => Promise<Opened>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  await devtools.send('Network.enable');
  const mainThread = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000;
  };
  const startWork = await mainThread();
  let [bytes, requests] = [0, 0];
  devtools.on('Network.requestWillBeSent', () => requests++);
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  return async (paintTime) => {
    const main = (await mainThread()) - startWork;
    const paint = (await page.evaluate(() => performance.getEntriesByName('first-paint')[0]?.startTime ?? 0)) as number;
    return { paint, row: paintTime, main, kB: bytes / 1000, requests };
  };
}
