import axe from 'axe-core';
import { expect, type Page } from '@playwright/test';

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
 */
export async function expectAccessible(page: Page, { inForcedColours = false, isOurs = true } = {}): Promise<void> {
  // A screen has no heading before its code has loaded.
  if (isOurs) await expect(page.locator('h1').first()).not.toBeEmpty();
  await withoutTransitions(page, true);
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source);
  await showTheme(page, 'light');
  await expectNoViolation(page, 'light', isOurs ? accessibilityRules : wcagRules);
  await showTheme(page, 'dark');
  await expectNoViolation(page, 'dark', colourRules);
  await showTheme(page, 'light');
  if (inForcedColours) {
    await page.emulateMedia({ forcedColors: 'active' });
    await expectNoViolation(page, 'forced colours', colourRules);
    await page.emulateMedia({ forcedColors: 'none' });
  }
  await withoutTransitions(page, false);
}

async function expectNoViolation(page: Page, theme: string, runOnly: axe.RunOnly): Promise<void> {
  // Reporting passed checks takes longer than finding violations.
  const options: axe.RunOptions = { runOnly, resultTypes: ['violations'] };
  const found = await page.evaluate(
    async ([where, asked]) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(where, asked);
      return violations.map(({ id, nodes }) => {
        const places = nodes.map(
          ({ html, any, all }) => `${html.slice(0, 200)} (${[...any, ...all][0]?.message ?? ''})`,
        );
        return `${id}: ${places.join(' | ')}`;
      });
    },
    [checkedParts, options] as const,
  );
  expect(found, `${theme} at ${page.url()}`).toEqual([]);
}

/**
 * A button that a response has just enabled has the disabled colour until the next frame, where a transition starts.
 * Transitions are switched off while colours are checked.
 */
async function withoutTransitions(page: Page, without: boolean): Promise<void> {
  for (const frame of page.frames())
    await frame.evaluate((now) => {
      const id = 'without-transitions';
      if (!now) return document.getElementById(id)?.remove();
      const style = document.createElement('style');
      style.id = id;
      style.textContent = '*, *::before, *::after { transition: none !important; }';
      document.head.append(style);
    }, without);
}

/**
 * Switches the theme and waits for the end of all transitions, since fading text has less contrast. Inherited colours
 * change after their parent's, so one transition may start another.
 */
async function showTheme(page: Page, theme: string): Promise<void> {
  await page.evaluate(async (name) => {
    document.documentElement.setAttribute('data-theme', name);
    const nextFrame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const running = () =>
      document
        .getAnimations()
        .filter(({ effect, playState }) => playState === 'running' && effect?.getTiming().iterations !== Infinity);
    await nextFrame();
    for (let animations = running(); animations.length > 0; animations = running()) {
      await Promise.allSettled(animations.map(({ finished }) => finished));
      await nextFrame();
    }
  }, theme);
}
