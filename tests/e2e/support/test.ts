import { test as base, expect, type Page } from '@playwright/test';
import { accounts, password } from '../../support/accounts';

export { accounts, expect, password };
export { expectAccessible } from './accessible';

export type Role = keyof typeof accounts;

/** An API client with a role's token. `send` gives back status and body. */
export interface Caller {
  send<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: T; headers: Headers }>;
}

interface Tour {
  /** Signs the page alone in as a role, without the sign-in page, which has a tour of its own. */
  signIn(role: Role): Promise<void>;
  api(role: Role): Promise<Caller>;
  /** What the browser may log as an error besides refused calls. */
  alsoExpected: RegExp | undefined;
}

/** Signs in by the API: what the application stores of a sign-in. */
export async function openSession(url: string, role: Role): Promise<{ token: string }> {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: accounts[role], password }),
  });
  return (await answer.json()) as { token: string };
}

const sessions = new Map<string, Promise<{ token: string }>>();

/** The session of the callers beside the pages; no page knows it, so that none ends it. */
function sessionOf(url: string, role: Role): Promise<{ token: string }> {
  const key = `${url} ${role}`;
  const session = sessions.get(key) ?? openSession(url, role);
  sessions.set(key, session);
  return session;
}

/** The test of every tour: a page that must not log an error, sign-in by role, and an API client beside it. */
export const test = base.extend<Tour>({
  baseURL: async ({}, use) => use(process.env.ASSAY_URL),
  alsoExpected: [undefined, { option: true }],
  page: async ({ page, alsoExpected }, use) => {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.stack ?? error.message));
    page.on('console', (message) => {
      const text = message.text();
      if (message.type() === 'error' && !isExpectedRefusal(text) && !alsoExpected?.test(text)) errors.push(text);
    });
    await use(page);
    expect(errors, 'errors in the browser console').toEqual([]);
  },
  signIn: async ({ page, baseURL }, use) => {
    await use(async (role) => {
      const session = await openSession(baseURL!, role);
      await page.addInitScript((text) => {
        // A frame that is shut off has no storage, and needs no sign-in.
        if (window.top !== window || sessionStorage.getItem('signed-in')) return;
        localStorage.setItem('assay.session', text);
        sessionStorage.setItem('signed-in', 'yes');
      }, JSON.stringify(session));
    });
  },
  api: async ({ baseURL }, use) => {
    await use(async (role) => {
      const { token } = await sessionOf(baseURL!, role);
      return {
        async send(method, path, body) {
          const answer = await fetch(`${baseURL}/api${path}`, {
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

/** A toast with exactly these words. */
export async function expectToast(page: Page, words: string): Promise<void> {
  await expect(page.getByText(words, { exact: true }).first()).toBeVisible();
}

/** The title in the bar above a screen. */
export const title = (page: Page) => page.getByRole('heading', { level: 1 });
