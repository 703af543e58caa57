import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';

export { expect };

/** The demo accounts by role. */
export const accounts = {
  admin: 'admin@demo.test',
  owner: 'owner@demo.test',
  manager: 'manager@demo.test',
  developer: 'developer@demo.test',
  qa: 'qa@demo.test',
  external: 'external@demo.test',
} as const;
export type Role = keyof typeof accounts;
export const password = 'Demo@1234';

/** An API client with a role's token. `send` gives back status and body. */
export interface Caller {
  send<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: T; headers: Headers }>;
}

interface Tour {
  /** Signs in as a role without the sign-in page, which has a tour of its own. */
  signIn(role: Role): Promise<void>;
  api(role: Role): Promise<Caller>;
}

const sessions = new Map<Role, Promise<{ token: string }>>();

async function post<T>(path: string, body: unknown): Promise<T> {
  const answer = await fetch(`${process.env.ASSAY_URL}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as T;
}

function sessionOf(role: Role): Promise<{ token: string }> {
  const known = sessions.get(role) ?? post<{ token: string }>('/login', { email: accounts[role], password });
  sessions.set(role, known);
  return known;
}

/** The test of every tour: a page that must not log an error, sign-in by role, and an API client beside it. */
export const test = base.extend<Tour>({
  baseURL: async ({}, use) => use(process.env.ASSAY_URL),
  page: async ({ page }, use) => {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !isExpectedRefusal(message.text())) errors.push(message.text());
    });
    await use(page);
    expect(errors, 'errors in the browser console').toEqual([]);
  },
  signIn: async ({ page }, use) => {
    await use(async (role) => {
      const session = await sessionOf(role);
      await page.addInitScript((text) => {
        if (sessionStorage.getItem('signed-in')) return;
        localStorage.setItem('assay.session', text);
        localStorage.setItem('listView', 'list');
        sessionStorage.setItem('signed-in', 'yes');
      }, JSON.stringify(session));
    });
  },
  api: async ({}, use) => {
    await use(async (role) => {
      const { token } = await sessionOf(role);
      return {
        async send(method, path, body) {
          const answer = await fetch(`${process.env.ASSAY_URL}/api${path}`, {
            method,
            headers: {
              authorization: `Bearer ${token}`,
              ...(body !== undefined && { 'content-type': 'application/json' }),
            },
            body: body === undefined ? undefined : JSON.stringify(body),
          });
          const text = await answer.text();
          return { status: answer.status, body: text === '' ? undefined : JSON.parse(text), headers: answer.headers };
        },
      };
    });
  },
});

/** Chromium logs every answer of 4xx; those are part of the tours. */
function isExpectedRefusal(text: string): boolean {
  return /status of 4\d\d/.test(text);
}

/** No violation of WCAG level A or AA on the page as it stands, in light and in dark. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const theme of ['light', 'dark']) {
    await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
      .analyze();
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 200)).join(' | ')}`,
    );
    expect(found, `${theme} at ${page.url()}`).toEqual([]);
  }
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'light'));
}

/** A toast with exactly these words. */
export async function expectToast(page: Page, words: string): Promise<void> {
  await expect(page.getByText(words, { exact: true }).first()).toBeVisible();
}
