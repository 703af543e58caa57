import { definitionScreens, leave, oldest, visit, type Screen } from './support/all-screens';
import { expect, test } from './support/test';

/** The bar above a record: what it is for and what it is called stay in view, everything else is in a menu. */

const widths = [390, 640, 768, 900, 1024, 1440, 1920];
const leastName = 320;

test('no page and no form of a record has more than two buttons and a menu in its bar, and its name keeps its room: on phones beside a single button, elsewhere 320 px', async ({
  page,
  signIn,
  api,
}) => {
  test.setTimeout(240_000);
  const admin = await api('admin');
  const ofRecord = /^\/([a-z-]+)\/(\d+)(\/page)?$/;
  const run = await oldest(admin, '/test-runs?source=people');
  const screens: Screen[] = [
    ...(await definitionScreens(admin)).filter(({ path, isDialog }) => ofRecord.test(path) && !isDialog),
    { path: `/test-runs/${run!.id}/overview` },
  ].map((screen) => ({ ...screen, path: screen.path.replace(/\/page$/, '/view') }));
  expect(screens.length).toBeGreaterThan(12);
  await signIn('admin');
  await page.goto('/profile');
  const heading = page.getByRole('banner').getByRole('heading', { level: 1 });
  await expect(heading).toBeVisible();
  const problems: string[] = [];
  for (const screen of screens) {
    await visit(page, { path: '/imports' });
    await visit(page, screen);
    const actions = page.locator('.bar-slot');
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      // Each frame hides one more button.
      await page.evaluate(async () => {
        for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
      });
      const buttons = await actions.locator('.MuiButton-root').count();
      const menus = await actions.getByRole('button', { name: /^More actions/ }).count();
      // As wide as the title is in one line.
      const neededWidth = await heading.evaluate(({ children }) =>
        [...children].flatMap((part) => [...part.getClientRects()]).reduce((sum, { width }) => sum + width, 0),
      );
      const isPhone = width < 640;
      const name = Math.ceil((await heading.boundingBox())!.width);
      if (buttons > 2 || menus > 1) problems.push(`${screen.path}: ${buttons} buttons, ${menus} menus`);
      if (isPhone && buttons + menus > 1 && name < Math.min(leastName, neededWidth))
        problems.push(`${screen.path} at ${width}: ${buttons} buttons leave its name ${name} of ${neededWidth} px`);
      if (!isPhone && name < Math.min(leastName, neededWidth))
        problems.push(`${screen.path} at ${width}: its name has ${name} px`);
      const isOver = await page
        .getByRole('banner')
        .evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
      if (isOver) problems.push(`${screen.path} at ${width}: the bar is wider than its window`);
    }
    await leave(page, screen);
  }
  expect(problems).toEqual([]);
});
