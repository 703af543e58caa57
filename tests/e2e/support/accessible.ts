import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];
/** The rules about colours, the only ones whose answer depends on the theme. */
const colours = ['color-contrast', 'link-in-text-block'];

/** No violation of WCAG level A or AA on the page as it stands, in light and in dark. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolation(page, 'light', (axe) => axe.withTags(levels));
  await expectNoViolation(page, 'dark', (axe) => axe.withRules(colours));
  await show(page, 'light');
}

async function expectNoViolation(page: Page, theme: string, rules: (axe: AxeBuilder) => AxeBuilder): Promise<void> {
  await show(page, theme);
  // Legacy mode spares a second page, which only results from frames would need; there are none.
  const { violations } = await rules(new AxeBuilder({ page })).setLegacyMode(true).analyze();
  const found = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map((node) => `${node.html.slice(0, 200)} (${node.any[0]?.message ?? ''})`).join(' | ')}`,
  );
  expect(found, `${theme} at ${page.url()}`).toEqual([]);
}

/**
 * Shows a theme, and waits until nothing fades or slides any more: half-seen text has half the contrast. A colour that
 * is inherited changes after its parent's, so that one change may follow another.
 */
async function show(page: Page, theme: string): Promise<void> {
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
