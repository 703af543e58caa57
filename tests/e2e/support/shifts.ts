import type { Page } from '@playwright/test';
import { expect } from './test';

interface LayoutShifts {
  total: number;
  shifts: string[];
}

/** Records layout shifts of a page; call it before the page is opened. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: LayoutShifts = { total: 0, shifts: [] };
    Object.assign(window, { seen });
    type Shift = PerformanceEntry & { value: number; sources: { node?: Element }[] };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        seen.total += entry.value;
        seen.shifts.push(...entry.sources.map(({ node }) => `${entry.value} ${node?.className ?? node?.nodeName}`));
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Expects Chromium's cumulative layout shift to be below 0.02. */
export async function expectNoShifts(page: Page): Promise<void> {
  const seen = await page.evaluate(() => (window as unknown as { seen: LayoutShifts }).seen);
  expect(seen.total, seen.shifts.join('\n')).toBeLessThan(0.02);
}
