import type { Browser, BrowserContext, Disposable, Page } from '@playwright/test';

/** A tab that tests use one after another. */
export interface SharedWindow {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What a test runs before each document. */
  readonly scripts: Disposable[];
}

/** The tabs of a worker, one for each program that it tests. */
export interface Windows {
  /** A tab at an address, as a new one would be, in a process that has compiled the program's scripts already. */
  open(browser: Browser, url: string): Promise<SharedWindow>;
  /** Forgets what a test left: other tabs, routes, storage, and everything that it emulated. */
  reset(window: SharedWindow, url: string): Promise<void>;
}

/** How many programs keep a tab: the shared one and the one that the present file tests. */
const keptWindows = 2;

/** Something small of the program's own, which runs no script: where a tab waits between two tests. */
const restingPlace = '/favicon.svg';

async function createWindow(browser: Browser): Promise<SharedWindow> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const scripts: Disposable[] = [];
  const addInitScript = page.addInitScript.bind(page) as Page['addInitScript'];
  page.addInitScript = async (...rest: Parameters<Page['addInitScript']>) => {
    const script = await addInitScript(...rest);
    scripts.push(script);
    return script;
  };
  return { context, page, scripts };
}

/** Creates the tabs of a worker. */
export function createWindows(): Windows {
  const windows = new Map<string, SharedWindow>();
  return {
    async open(browser, url) {
      let window = windows.get(url);
      windows.delete(url);
      if (!window || window.page.isClosed()) {
        window = await createWindow(browser);
      }
      windows.set(url, window);
      const [oldest] = windows;
      if (windows.size > keptWindows) {
        windows.delete(oldest![0]);
        await oldest![1].context.close();
      }
      return window;
    },
    async reset({ context, page, scripts }, url) {
      for (const other of context.pages()) if (other !== page) await other.close();
      if (page.isClosed()) return;
      await context.unrouteAll({ behavior: 'ignoreErrors' });
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      for (const script of scripts.splice(0)) await script.dispose();
      await context.setOffline(false);
      await context.clearPermissions();
      await page.emulateMedia({ media: null, colorScheme: 'light', forcedColors: 'none', reducedMotion: 'reduce' });
      await page.mouse.move(0, 0);
      await page.goto(new URL(restingPlace, url).href);
      await context.clearCookies();
      await page.evaluate(async () => {
        localStorage.clear();
        sessionStorage.clear();
        for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name!);
      });
    },
  };
}
