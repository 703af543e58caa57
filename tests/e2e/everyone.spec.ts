import type { Page } from '@playwright/test';
import {
  definitionScreens,
  leave,
  oldest,
  productScreens,
  systemScreens,
  visit,
  type Screen,
} from './support/all-screens';
import { expectFits, manyWindows, windows } from './support/fits';
import { expect, expectAccessible, test, title } from './support/test';

/**
 * Lists and forms of all definitions are opened by `screens.spec.ts` as the administrator. With `EVERY_SCREEN=1` each
 * screen of definitions is measured here too, in all its views, as the administrator and as a member.
 */
const isThorough = process.env.EVERY_SCREEN === '1';

/** At once on a phone and at a zoom of 200 %: what does not fit there fails first. */
const narrow = windows.filter(({ width }) => width < 768);

async function tour(page: Page, screens: readonly Screen[], check: (screen: Screen) => Promise<void>): Promise<void> {
  await page.goto('/clients');
  await expect(title(page)).toContainText('Clients');
  for (const screen of screens)
    await test.step(screen.path, async () => {
      await visit(page, screen);
      await check(screen);
      await leave(page, screen);
    });
}

/** A third of a list: the screens of a third are one test, of which two run at once. */
const thirds = ['first', 'second', 'third'] as const;
const thirdOf = <T>(all: readonly T[], third: (typeof thirds)[number]) =>
  all.filter((_, index) => Math.floor((index * thirds.length) / all.length) === thirds.indexOf(third));

/** What `permissions-matrix.spec.ts` and `studio.spec.ts` check with axe: it takes half a minute there. */
const isLarge = ({ path }: Screen) => /^\/(permissions|studio)/.test(path);

for (const third of thirds) {
  test(`the ${third} third of the screens of test management fits every window, and is accessible in every theme`, async ({
    page,
    signIn,
    api,
  }) => {
    const screens = await productScreens(await api('owner'));
    await signIn('owner');
    await tour(page, thirdOf(screens, third), async () => {
      await expectFits(page, manyWindows);
      await expectAccessible(page, { inForcedColours: true });
    });
  });

  test(`the ${third} third of the screens of every product fits every window, and is accessible in every theme`, async ({
    page,
    signIn,
  }) => {
    await signIn('admin');
    await tour(page, thirdOf(systemScreens, third), async (screen) => {
      await expectFits(page, manyWindows);
      if (!isLarge(screen)) await expectAccessible(page, { inForcedColours: true });
    });
  });
}

test('pages without an account fit every window, and are accessible in every theme', async ({ page, api }) => {
  const owner = await api('owner');
  const run = await oldest<{ id: number; report_link: string }>(owner, '/test-runs?source=people');
  const testCase = await oldest(owner, '/test-cases');
  const share = await owner.send<{ data: { sharable_link: string } }>('GET', `/test-cases/${testCase!.id}`);
  const paths = [
    '/auth/login',
    '/auth/register',
    '/auth/forgot-password',
    `/run-report/${run!.report_link}`,
    `/testcase/${share.body.data.sharable_link}`,
  ];
  for (const path of paths)
    await test.step(path, async () => {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectFits(page);
      await expectAccessible(page, { inForcedColours: true });
    });
});

test('lists and forms of a member fit a phone and a zoom of 200 %', async ({ page, signIn, api }) => {
  const screens = await definitionScreens(await api('qa'));
  await signIn('qa');
  const modules = isThorough ? /./ : /^\/(test-cases|tasks|test-runs|time-logs)\b/;
  const some = screens.filter(({ path }) => modules.test(path));
  expect(some.length).toBeGreaterThan(10);
  await tour(page, some, () => expectFits(page, isThorough ? windows : narrow));
});

if (isThorough) {
  test('every screen of definitions fits every window, and is accessible in every theme', async ({
    page,
    signIn,
    api,
  }) => {
    test.setTimeout(3_600_000);
    const screens = await definitionScreens(await api('admin'));
    await signIn('admin');
    await tour(page, screens, async () => {
      await expectFits(page);
      await expectAccessible(page, { inForcedColours: true });
    });
  });
}
