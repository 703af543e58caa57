import { writeFile } from 'node:fs/promises';
import { test as base, expect, type ConsoleMessage, type Page } from '@playwright/test';
import { accounts, password } from '../../support/accounts';
import type { Program } from './program';
import { createPrograms, type Programs } from './programs';
import { createWindows, type SharedWindow, type Windows } from './windows';

export { accounts, expect, password };
export { expectAccessible } from './accessible';

export type Role = keyof typeof accounts;

/** An API client with a role's token. `send` returns status and body. */
export interface ApiCaller {
  send<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: T; headers: Headers }>;
}

interface TestFixtures {
  /** Signs the page in as a role by the API; the sign-in page has its own test. */
  signIn(role: Role): Promise<void>;
  api(role: Role): Promise<ApiCaller>;
  /** The tab of the test: that of the worker, as good as new, or with `ownContext` one in a new context. */
  window: Pick<SharedWindow, 'context' | 'page'>;
  /** For tests that need what a new context alone has, such as an empty cache, a touch screen or virtual authenticators. */
  ownContext: boolean;
  /** Errors that the browser may log besides rejected calls. */
  alsoExpected: RegExp | undefined;
}

interface WorkerFixtures {
  windows: Windows;
  /** One fixture for all kinds of programs, so that no worker and its browser end between two kinds of test files. */
  programs: Programs;
}

/** Signs a demo account in by the API: that of a role, or of an address. Returns the session as the application stores it. */
export async function openSession(url: string, who: Role | `${string}@${string}`): Promise<{ token: string }> {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: who.includes('@') ? who : accounts[who as Role], password }),
  });
  return (await answer.json()) as { token: string };
}

const sessions = new Map<string, Promise<{ token: string }>>();

/** The session of API clients; pages have other sessions, so that none ends this one. */
function sessionOf(url: string, role: Role): Promise<{ token: string }> {
  const key = `${url} ${role}`;
  const session = sessions.get(key) ?? openSession(url, role);
  sessions.set(key, session);
  return session;
}

/** The base of all end-to-end tests: a page that must not log errors, sign-in by role, and an API client. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  programs: [
    async ({}, use) => {
      const programs = createPrograms();
      await use(programs);
      await programs.stop();
    },
    { scope: 'worker', timeout: 100_000 },
  ],
  baseURL: async ({}, use) => use(process.env.ASSAY_URL),
  alsoExpected: [undefined, { option: true }],
  windows: [async ({}, use) => use(createWindows()), { scope: 'worker' }],
  ownContext: [false, { option: true }],
  window: async ({ browser, baseURL, windows, viewport, ownContext }, use) => {
    if (ownContext) {
      const context = await browser.newContext();
      await use({ context, page: await context.newPage() });
      return context.close();
    }
    const window = await windows.open(browser, baseURL!);
    await window.page.setViewportSize(viewport!);
    await use(window);
    await windows.reset(window, baseURL!);
  },
  context: async ({ window }, use) => use(window.context),
  page: async ({ window: { page }, alsoExpected }, use, test) => {
    const errors: string[] = [];
    const onError = (error: Error) => errors.push(error.stack ?? error.message);
    const onMessage = (message: ConsoleMessage) => {
      const text = message.text();
      if (message.type() === 'error' && !isExpectedError(text) && !alsoExpected?.test(text)) errors.push(text);
    };
    page.on('pageerror', onError).on('console', onMessage);
    await use(page);
    if (test.status !== test.expectedStatus) {
      const contexts = page.context().browser()?.contexts() ?? [page.context()];
      const descriptions = await Promise.all(contexts.flatMap((context) => context.pages()).map(describePage));
      await writeFile(test.outputPath('page.txt'), descriptions.join('\n'));
    }
    page.off('pageerror', onError).off('console', onMessage);
    expect(errors, 'errors in the browser console').toEqual([]);
  },
  signIn: async ({ page, baseURL }, use) => {
    await use(async (role) => {
      const session = await openSession(baseURL!, role);
      await page.addInitScript((text) => {
        // A sandboxed frame has no storage, and needs no session.
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

/** The base of tests on a program of their own, which has `timeout` milliseconds to start. */
export function testOn(start: (programs: Programs, file: string) => Promise<Program>, timeout = 100_000) {
  return test.extend<{ program: Program }>({
    program: [async ({ programs }, use, { file }) => use(await start(programs, file)), { timeout }],
    baseURL: async ({ program }, use) => use(program.url),
  });
}

/** A page's address and its content as a tree of roles and names, for the log of a run whose files are gone. */
async function describePage(page: Page): Promise<string> {
  const content = page.locator('body').ariaSnapshot({ timeout: 5_000 });
  return `${page.url()}\n${await content.catch((error: Error) => error.message)}\n`;
}

/** Chromium logs every 4xx response; tests expect them. */
function isExpectedError(text: string): boolean {
  return /status of 4\d\d/.test(text);
}

/** Expects a toast with exactly this text. */
export async function expectToast(page: Page, words: string): Promise<void> {
  await expect(page.getByText(words, { exact: true }).first()).toBeVisible();
}

/** The page title in the header. */
export const title = (page: Page) => page.getByRole('heading', { level: 1 });
