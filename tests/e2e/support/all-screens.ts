import { expect, type Page } from '@playwright/test';
import type { Definition } from '../../../src/engine/definitions/definition';
import type { ApiCaller } from './test';

/** A screen behind sign-in. */
export interface Screen {
  readonly path: string;
  /** A form that opens as a dialog over its list. */
  readonly isDialog?: boolean;
}

/** The screens of every product beside those of definitions. */
export const systemScreens: readonly Screen[] = [
  '/profile',
  '/notifications',
  '/profile/notifications',
  '/imports',
  '/profile/security',
  '/jobs',
  '/outbox',
  '/deleted-users',
  '/single-sign-on',
  '/permissions',
  '/studio',
  '/studio/new',
  '/studio/clients',
  '/studio/clients/versions',
].map((path) => ({ path }));

/** The first of the records that a query of the API finds, in the order in which they were created. */
export async function oldest<T extends { id: number }>({ send }: ApiCaller, path: string): Promise<T | undefined> {
  const query = `sort=${encodeURIComponent('["id","ASC"]')}&range=${encodeURIComponent('[0,0]')}`;
  const { body } = await send<{ data?: T[] }>('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`);
  return body.data?.[0];
}

/** The screens of test management, with records of the demo data. */
export async function productScreens(caller: ApiCaller): Promise<Screen[]> {
  const [entry, build, milestone] = await Promise.all([
    oldest<{ id: number; run_id: number; test_case_id: number }>(caller, '/run-entries'),
    oldest(caller, '/test-runs?source=machines'),
    oldest(caller, '/milestones'),
  ]);
  const run = `/test-runs/${entry!.run_id}`;
  // Screens of one run may have its title: others lie between them, so that each is waited for by its own.
  return [
    '/dashboard',
    `${run}/run`,
    '/timesheet',
    '/timesheet?everybody=1',
    `${run}/overview`,
    '/test-case-analytics',
    '/task-analytics',
    `${run}/report`,
    '/coverage',
    '/ci-results',
    `${run}/add-tests`,
    '/renamed-tests',
    `/test-runs/${build!.id}/ci-results`,
    `/milestones/${milestone!.id}/trend`,
    `/test-case-history/${entry!.test_case_id}`,
  ].map((path) => ({ path }));
}

/**
 * The screens that definitions make for a user, asked of the program, so that another definition adds its own: each list in
 * each of its views, each form, and page and history of a record. No two lists and forms in succession have the same title, by
 * which the second one is waited for; a view of a list is waited for by itself.
 */
export async function definitionScreens(caller: ApiCaller): Promise<Screen[]> {
  const { data: definitions } = (await caller.send<{ data: Definition[] }>('GET', '/definitions')).body;
  const me = await caller.send<{ data: { permissions: Record<string, string[]> } }>('GET', '/me');
  const may = (name: string, action: string) => me.body.data.permissions[name]?.includes(action) ?? false;
  const screens: Screen[] = [];
  for (const { name, form, list, page } of definitions.filter(({ name }) => may(name, 'list'))) {
    const isDialog = form.dialog !== undefined;
    const id = may(name, 'view') || may(name, 'edit') ? (await oldest(caller, `/${name}`))?.id : undefined;
    const forms = [...(may(name, 'create') ? ['create'] : []), ...(id === undefined ? [] : [id])];
    const views = list.views.filter((view) => view !== 'list');
    const lists = [`/${name}`, ...views.map((view) => `/${name}?view=${view}`)];
    for (let at = 0; at < Math.max(lists.length, forms.length); at++) {
      if (at < lists.length) screens.push({ path: lists[at]! });
      if (at < forms.length) screens.push({ path: `/${name}/${forms[at]!}`, isDialog });
    }
    const abouts = id === undefined ? [] : [...(page ? ['page'] : []), 'history'];
    screens.push(...abouts.map((part) => ({ path: `/${name}/${id}/${part}` })));
  }
  return screens;
}

/** Goes to a screen within the application, since loading it again takes three times as long, and waits until it is shown. */
export async function visit(page: Page, { path, isDialog = false }: Screen): Promise<void> {
  const title = page.locator('header h1').first();
  const left = (await title.textContent())!;
  await page.evaluate((to) => {
    history.pushState({}, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: {} }));
  }, path);
  const [, view] = /[?&]view=(\w+)/.exec(path) ?? [];
  if (isDialog) await expect(page.getByRole('dialog')).toBeVisible();
  else if (view) await expect(page.locator(`.list-body[data-view="${view}"]`).first()).toBeAttached();
  else await expect(title).not.toHaveText(left);
  await expect(page.locator('main .skeleton, [role=dialog] .skeleton, .shell-loading')).toHaveCount(0);
}

/** Closes the dialog of a screen that is one. */
export async function leave(page: Page, { isDialog = false }: Screen): Promise<void> {
  if (!isDialog) return;
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}
