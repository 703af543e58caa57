import { expect, type Page } from '@playwright/test';
import { findUnreachable } from './reach';

interface Size {
  width: number;
  height: number;
}

/**
 * The windows that every screen has to fit, in CSS pixels: a phone, a tablet upright and lying, a small and a large
 * screen, and a window of 1,440 × 900 at a zoom of 200 %, which leaves half of both.
 */
export const windows: readonly Size[] = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
  { width: 720, height: 450 },
];

/** Those windows, and widths at which toolbars are about to change. */
export const manyWindows: readonly Size[] = [
  ...windows,
  ...[640, 700, 900, 1100, 1200].map((width) => ({ width, height: 900 })),
];

/**
 * Expects in each window that every control can be reached and is not covered, that labels are not cut off and short
 * fields of a form show their whole values, that the page does not scroll sideways, and that between a phone's and a
 * desktop's width at most one part of it does, and that no heading skips a level. Changes the size of the window without loading the page again, and restores
 * it.
 */
export async function expectFits(page: Page, at: readonly Size[] = windows): Promise<void> {
  const usual = page.viewportSize()!;
  for (const size of at) {
    await page.setViewportSize(size);
    const isBetween = size.width >= 640 && size.width <= 1200;
    const find = async () => [
      ...(await page.evaluate(findUnreachable)),
      ...(isBetween ? await page.evaluate(findOverflow) : []),
      ...(await page.evaluate(findSkippedHeadings)),
    ];
    // The grid resizes shortly after the window.
    await expect.poll(find, `${page.url()} at ${size.width} × ${size.height}`).toEqual([]);
  }
  await page.setViewportSize(usual);
}

/** Runs in the page; returns each heading that is more than one level below the one before it. */
function findSkippedHeadings(): string[] {
  const headings = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter(
    (heading) => heading.checkVisibility() && !heading.closest('[aria-hidden=true], [role=presentation]'),
  );
  const levelOf = (heading: Element) => Number(heading.localName[1]);
  return headings.flatMap((heading, index) => {
    const before = headings[index - 1];
    const isSkipped = before !== undefined && levelOf(heading) > levelOf(before) + 1;
    return isSkipped ? [`${heading.localName} “${heading.textContent}” follows ${before.localName}`] : [];
  });
}

/** Runs in the page; returns a description of each violation. */
function findOverflow(): string[] {
  const { clientWidth: wide, clientHeight: high } = document.documentElement;
  const controls = 'button, a, input, [role=button], [role=combobox]';
  const places = ['.bar', '.list-tools', '[role=toolbar]', '.row-actions', '.list-foot', '.save-bar', '.act-buttons'];
  const scrollsItself = (node: Element) => node.closest('[role=tablist], .list-applied') !== null;
  const misfits: string[] = [];
  for (const place of document.querySelectorAll(places.join()))
    for (const control of place.querySelectorAll(controls)) {
      const box = control.getBoundingClientRect();
      const isShown = control.checkVisibility({ visibilityProperty: true }) && box.width > 1 && box.height > 1;
      if (control.ariaHidden === 'true' || !isShown || scrollsItself(control)) continue;
      const name = control.getAttribute('aria-label') ?? control.textContent ?? '';
      if (box.left < -0.5 || box.right > wide + 0.5)
        misfits.push(`${name} from ${box.left} to ${box.right} of ${wide}`);
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      if (x < 0 || x > wide || y < 0 || y > high) continue;
      const front = document.elementFromPoint(x, y);
      const isBelow =
        front?.closest(
          '.MuiModal-root, .MuiDataGrid-scrollbar, .list-foot, .selection-bar, .save-bar, [role=status], [role=alert]',
        ) && !place.contains(front);
      if (!isBelow && !control.contains(front) && !front?.contains(control))
        misfits.push(`${name} is behind ${front?.className}`);
    }
  for (const input of document.querySelectorAll<HTMLInputElement>('.field[data-width="quarter"] input'))
    if (input.scrollWidth > input.clientWidth + 1) misfits.push(`${input.value} is cut off`);
  for (const words of document.querySelectorAll('.tiles li > *, .MuiTreeItem-content'))
    if (words.scrollWidth > words.clientWidth + 1 || words.scrollHeight > words.clientHeight + 1)
      misfits.push(`${words.textContent} does not fit`);
  for (const number of document.querySelectorAll('.num')) {
    const around = number.parentElement!;
    const isShown = number.checkVisibility() && getComputedStyle(around).overflowX === 'visible';
    if (isShown && number.getBoundingClientRect().right > around.getBoundingClientRect().right + 1)
      misfits.push(`${number.textContent} runs out of its place`);
  }
  if (document.documentElement.scrollWidth > wide) misfits.push('the page scrolls sideways');
  const bars = [...document.querySelectorAll('body *')].filter((node) => {
    const { overflowX, scrollbarWidth } = getComputedStyle(node);
    return (
      /auto|scroll/.test(overflowX) &&
      scrollbarWidth !== 'none' &&
      node.clientWidth > 0 &&
      node.scrollWidth > node.clientWidth + 1
    );
  });
  if (bars.length > 1) misfits.push(`${bars.length} parts scroll sideways: ${bars.map(({ className }) => className)}`);
  return misfits.slice(0, 5);
}
