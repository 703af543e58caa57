import { chromium, type Browser } from '@playwright/test';
import { chromiumFlags, findChromium } from '../../scripts/find-chromium.mjs';
import type { BenchmarkCase, Finding } from '../case';
import type { BenchProgram } from '../program';
import { firstId } from '../first-id';

/** How long the server takes longer for each answer, in milliseconds: everything that waits for one is seen waiting. */
const SLOW = 600;
/** Milliseconds without a call after which everything has arrived. */
const QUIET = 1_500;
/** The most that may move: what the eye does not see. Web Vitals calls 0.1 good. */
const MOST = 0.005;
const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const;

interface Shift {
  readonly value: number;
  readonly of: readonly string[];
}

/** Measures how the most used screens move while data arrives, with a slow server and an empty cache. */
export const shifts: BenchmarkCase = async ({ site }) => {
  const { program } = await site('small');
  const testCase = await firstId(program, 'test-cases');
  const page = await firstId(program, 'pages');
  const screens: Readonly<Record<string, string>> = {
    'a list': '/test-cases',
    'a grouped list': '/test-cases?group=status_id',
    'a page of a record': `/test-cases/${testCase}/view`,
    'a form': `/test-cases/${testCase}`,
    'a board': '/tasks?view=kanban',
    'a calendar': '/tasks?view=calendar',
    'a page of tiles': `/pages/${page}/open`,
    'a page of tiles, the second time': `/pages/${page}/open`,
  };
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags() });
  try {
    const findings: Finding[] = [];
    for (const [title, path] of Object.entries(screens))
      for (const size of sizes) {
        const pageShifts = await open(browser, program, path, size, title.endsWith('second time') ? 2 : 1);
        const total = pageShifts.reduce((sum, { value }) => sum + value, 0);
        const [largestShift] = [...pageShifts].sort((left, right) => right.value - left.value);
        findings.push({
          title: `${title} at ${size.width} px`,
          figures: `${total.toFixed(4)} moved (at most ${MOST})${largestShift && total > MOST ? `; most: ${largestShift.of.slice(0, 3).join(' | ')}` : ''}`,
          isReached: total <= MOST,
        });
      }
    return findings;
  } finally {
    await browser.close();
  }
};

async function open(
  browser: Browser,
  { address, session }: BenchProgram,
  path: string,
  viewport: (typeof sizes)[number],
  visits: number,
): Promise<readonly Shift[]> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
  try {
    await context.addInitScript((text) => localStorage.setItem('assay.session', text), session);
    await context.addInitScript({ path: 'bench/shift-watch.mjs' });
    let last = Date.now();
    await context.route(
      (url) => url.pathname.startsWith('/api/') && !url.pathname.endsWith('/events'),
      async (route) => {
        await new Promise((resolve) => setTimeout(resolve, SLOW));
        last = Date.now();
        await route.continue();
      },
    );
    const page = await context.newPage();
    const roundShifts: (readonly Shift[])[] = [];
    for (let visit = 0; visit < visits; visit++) {
      await page.goto('about:blank');
      last = Date.now();
      await page.goto(`${address}${path}`);
      while (Date.now() - last < QUIET) await page.waitForTimeout(100);
      roundShifts.push((await page.evaluate('window.shifts')) as readonly Shift[]);
    }
    return roundShifts.at(-1)!;
  } finally {
    await context.close();
  }
}
