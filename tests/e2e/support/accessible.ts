import axe from 'axe-core';
import { expect, type Page } from '@playwright/test';
import { isReadable } from '../../support/readable-colours';

const accessibilityRules: axe.RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** Those of WCAG alone, for pages that a library writes. */
const wcagRules: axe.RunOnly = {
  type: 'tag',
  values: accessibilityRules.values.filter((tag) => tag !== 'best-practice'),
};
/** The rules about colours, the only ones whose result depends on the theme. */
const colourRules: axe.RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
/** Only the first five rows of a grid are checked, as all are alike; this saves a third of the time. */
const checkedParts = { exclude: [['.MuiDataGrid-row:nth-child(n+6)']] };

/**
 * Expects no violation of WCAG 2.2 level A or AA nor of a best practice on the current page and in its frames, in the light
 * and the dark theme, and with `inForcedColours` in a contrast theme of the system too. Best practices do not count where
 * the page is not `isOurs`.
 *
 * Texts whose colours are in the table of `readable-colours.ts` are checked in the light theme alone: that table is checked
 * for all of them by `tests/app/theme/tokens.test.ts`, so that most pages need not be painted in the dark theme.
 */
export async function expectAccessible(page: Page, { inForcedColours = false, isOurs = true } = {}): Promise<void> {
  // A screen has no heading before its code has loaded.
  if (isOurs) await expect(page.locator('h1').first()).not.toBeEmpty();
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source);
  for (const frame of page.frames()) await frame.evaluate(stopTransitions);
  try {
    await expectReadable(page, inForcedColours, isOurs);
  } finally {
    for (const frame of page.frames()) await frame.evaluate(allowTransitions);
  }
}

async function expectReadable(page: Page, inForcedColours: boolean, isOurs: boolean): Promise<void> {
  await showTheme(page, 'light');
  const { colours, links } = await expectNoViolation(page, 'light', isOurs ? accessibilityRules : wcagRules);
  if (links > 0 || !colours.every(isReadable)) {
    await showTheme(page, 'dark');
    await expectNoViolation(page, 'dark', colourRules);
    await showTheme(page, 'light');
  }
  if (inForcedColours) {
    await page.emulateMedia({ forcedColors: 'active' });
    await endTransitions(page);
    await expectNoViolation(page, 'forced colours', colourRules);
    await page.emulateMedia({ forcedColors: 'none' });
  }
}

interface Findings {
  readonly violations: string[];
  /** Colours of texts, each with that of its ground: `#1a2330 #ffffff`. */
  readonly colours: string[];
  /** How many links are told from the text around them by their colour alone. */
  readonly links: number;
}

async function expectNoViolation(page: Page, theme: string, runOnly: axe.RunOnly): Promise<Findings> {
  // No rule looks at sheets, which axe would load and parse again.
  const options: axe.RunOptions = { runOnly, reporter: 'findings', preload: { assets: ['media'] } };
  const findings = await page.evaluate(findViolations, [checkedParts, options] as const);
  expect(findings.violations, `${theme} at ${page.url()}`).toEqual([]);
  return findings;
}

interface Check {
  readonly id: string;
  readonly result?: boolean;
  readonly data?: { readonly fgColor?: string; readonly bgColor?: string };
  readonly message?: string;
}

interface Node {
  readonly node: { readonly source: string };
  readonly any: Check[];
  readonly all: Check[];
}

interface Result {
  readonly id: string;
  readonly violations: Node[];
  readonly passes: Node[];
}

/** Runs in the page, with a reporter that writes no selector of each node that passed, which takes longer than the rules. */
async function findViolations([where, options]: readonly [axe.ElementContext, axe.RunOptions]): Promise<Findings> {
  const report = (results: Result[]): Findings => {
    const violations = results
      .filter((result) => result.violations.length > 0)
      .map((result) => {
        const places = result.violations.map(
          ({ node, any, all }) => `${node.source.slice(0, 200)} (${[...any, ...all][0]?.message ?? ''})`,
        );
        return `${result.id}: ${places.join(' | ')}`;
      });
    const passes = (rule: string) => results.find(({ id }) => id === rule)?.passes ?? [];
    const colours = new Set<string>();
    for (const { any } of passes('color-contrast'))
      for (const { data } of any) if (data?.fgColor) colours.add(`${data.fgColor} ${data.bgColor}`);
    const links = passes('link-in-text-block').filter(
      ({ any }) => !any.some(({ id, result }) => id === 'link-in-text-block-style' && result),
    );
    return { violations, colours: [...colours], links: links.length };
  };
  const { axe: checker } = window as unknown as { axe: typeof axe };
  // The types of axe-core do not know that a reporter gets these results.
  checker.addReporter('findings', (results, _options, done) => done(report(results as never) as never));
  return (await checker.run(where, options)) as unknown as Findings;
}

/**
 * Shows a theme and ends all transitions, since fading text has less contrast. Inherited colours change after their
 * parent's, so one transition may start another; a button that a response has just enabled starts its own in the next frame.
 */
async function showTheme(page: Page, theme: string): Promise<void> {
  await page.evaluate((name) => {
    const { dataset } = document.documentElement;
    // Even the same value would compute all styles again.
    if (dataset.theme !== name) dataset.theme = name;
  }, theme);
  await endTransitions(page);
}

/** The sheet that keeps transitions from starting, in the frame that has one. */
interface StillWindow {
  stillSheet?: CSSStyleSheet;
}

/**
 * Runs in a frame: what a response changes while it is checked, such as a button that becomes enabled, has its new colours
 * at once.
 */
function stopTransitions(): void {
  const still = window as StillWindow;
  if (still.stillSheet) return;
  still.stillSheet = new CSSStyleSheet();
  still.stillSheet.replaceSync('*, ::before, ::after { transition: none !important }');
  document.adoptedStyleSheets.push(still.stillSheet);
}

/** Runs in a frame. */
function allowTransitions(): void {
  const still = window as StillWindow;
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== still.stillSheet);
  delete still.stillSheet;
}

/**
 * Ends all transitions, those that begin when others end too. Only the page waits for its next picture: a frame whose sandbox
 * allows no scripts never calls back.
 */
async function endTransitions(page: Page): Promise<void> {
  let ended = 0;
  do {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    ended = 0;
    for (const frame of page.frames()) ended += await frame.evaluate(finishTransitions);
  } while (ended > 0);
}

/** Runs in a frame; returns how many transitions it has ended. */
function finishTransitions(): number {
  const running = document
    .getAnimations()
    .filter(({ effect, playState }) => playState === 'running' && effect?.getTiming().iterations !== Infinity);
  for (const animation of running) animation.finish();
  return running.length;
}
