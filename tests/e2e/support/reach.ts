/**
 * Runs in the page; returns a description of each control that cannot be reached or is covered, each label that is cut
 * off, and whether the page scrolls sideways; at most eight.
 */
export function findUnreachable(): string[] {
  const { clientWidth: wide, clientHeight: high } = document.documentElement;
  const faults: string[] = [];
  const controls = [
    'a[href]',
    'button',
    'input:not([type=hidden])',
    'select',
    'textarea',
    'summary',
    '[contenteditable=true]',
    '[tabindex]:not([tabindex="-1"])',
    '[role=button]',
    '[role=tab]',
    '[role=treeitem]',
    '[role=menuitem]',
    '[role=option]',
  ].join();
  const dialogs = [...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]')];
  const modal = dialogs.filter((one) => one.closest('.MuiModal-root') && one.checkVisibility()).at(-1);

  const nameOf = (node: Element) =>
    (node.getAttribute('aria-label') ?? node.textContent?.trim() ?? '').slice(0, 50) ||
    node.getAttribute('name') ||
    `${node.tagName.toLowerCase()}.${node.className}`.slice(0, 60);
  /** What is for assistive technology alone has no size, and what a screen has switched off has no use. */
  const isShown = (node: Element) => {
    const { width, height } = node.getBoundingClientRect();
    return (
      width > 2 &&
      height > 2 &&
      node.checkVisibility({ visibilityProperty: true }) &&
      !node.closest('[inert], .unseen, [aria-hidden=true]')
    );
  };
  /** All rows of a grid are alike, and those of a table nearly so. */
  const isRepeated = (node: Element) =>
    node.closest('.MuiDataGrid-row:nth-child(n+5), tbody > tr:nth-child(n+7)') !== null;

  const pageScrolls =
    document.documentElement.scrollHeight > high && getComputedStyle(document.documentElement).overflowY !== 'hidden';

  /**
   * The part of a control's box that remains when all around it are scrolled as far as whoever uses it can: what scrolls
   * brings it to its own box, what only hides cuts it off.
   */
  const reachableBox = (control: Element) => {
    const box = control.getBoundingClientRect();
    let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
    let position = getComputedStyle(control).position;
    for (let around = control.parentElement; around && position !== 'fixed'; around = around.parentElement) {
      const style = getComputedStyle(around);
      const isPassed = position === 'absolute' && style.position === 'static' && style.transform === 'none';
      if (isPassed || around === document.documentElement || around === document.body) continue;
      position = style.position;
      const frame = around.getBoundingClientRect();
      const scrollsX = /auto|scroll/.test(style.overflowX) && around.scrollWidth > around.clientWidth;
      const scrollsY = /auto|scroll/.test(style.overflowY) && around.scrollHeight > around.clientHeight;
      if (scrollsX) [left, right] = [Math.max(left, frame.left), Math.max(left, frame.left) + (right - left)];
      if (scrollsX && right > frame.right) {
        left = Math.max(frame.left, frame.right - (right - left));
        right = frame.right;
      } else if (style.overflowX !== 'visible')
        [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
      if (scrollsY) [top, bottom] = [Math.max(top, frame.top), Math.max(top, frame.top) + (bottom - top)];
      if (scrollsY && bottom > frame.bottom) {
        top = Math.max(frame.top, frame.bottom - (bottom - top));
        bottom = frame.bottom;
      } else if (style.overflowY !== 'visible')
        [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
    }
    [left, right] = [Math.max(left, 0), Math.min(right, wide)];
    // Pages without the frame of the application scroll down as a whole.
    if (!pageScrolls) [top, bottom] = [Math.max(top, 0), Math.min(bottom, high)];
    return { width: right - left, height: bottom - top, of: box };
  };

  /** What lies in front of a control's centre; undefined where that is outside of the window. */
  const inFront = (control: Element): Element | null | undefined => {
    const { left, top, width, height } = control.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    return x < 0 || x > wide || y < 0 || y > high ? undefined : document.elementFromPoint(x, y);
  };
  const isItself = (control: Element, front: Element | null | undefined) =>
    front !== undefined &&
    front !== null &&
    (control.contains(front) ||
      front.contains(control) ||
      // A box of a checkbox or a switch is drawn beside its input; a label belongs to its field.
      (control.matches('input') && control.parentElement!.contains(front)) ||
      front.closest('label')?.contains(control) ||
      // A toast goes by itself, or is dismissed.
      front.closest('.MuiSnackbar-root') !== null);

  for (const control of document.querySelectorAll<HTMLElement>(controls)) {
    // The link over the bar appears with the focus.
    if (control.matches('[href="#content"]:not(:focus)')) continue;
    if (!isShown(control) || isRepeated(control) || (modal && !modal.contains(control))) continue;
    const reachable = reachableBox(control);
    const { of } = reachable;
    // A whole target, or as much of a large one as the window can show.
    const isClamped = getComputedStyle(control.parentElement!).webkitLineClamp !== 'none';
    const needsX = Math.min(of.width, wide * 0.5);
    const needsY = Math.min(of.height, isClamped ? 16 : high * 0.4);
    if (reachable.width < needsX - 1 || reachable.height < needsY - 1) {
      const box = [of.left, of.top, of.right, of.bottom].map(Math.round).join(' ');
      faults.push(`out of reach: ${nameOf(control)} (${box})`);
      continue;
    }
    if (control.matches(':disabled, [aria-disabled=true], [role=option], [role=menuitem]')) continue;
    let front = inFront(control);
    if (isItself(control, front)) continue;
    const scrolled = scrollPositions(control);
    for (const block of ['center', 'start', 'end', 'nearest'] as const) {
      control.scrollIntoView({ block, inline: block, behavior: 'instant' });
      front = inFront(control);
      if (isItself(control, front)) break;
    }
    for (const [node, left, top] of scrolled) node.scrollTo({ left, top, behavior: 'instant' });
    if (!isItself(control, front))
      faults.push(
        `covered: ${nameOf(control)} by ${front ? `${front.tagName.toLowerCase()}.${String(front.className).slice(0, 60)}` : 'the edge'}`,
      );
  }

  const labels = 'button, label, legend, [role=tab], [role=menuitem], .MuiButton-root, .MuiFormHelperText-root';
  for (const label of document.querySelectorAll<HTMLElement>(labels)) {
    if (!isShown(label) || isRepeated(label) || label.title || label.getAttribute('aria-label')) continue;
    const { overflowX } = getComputedStyle(label);
    if (overflowX !== 'visible' && label.scrollWidth > label.clientWidth + 1) faults.push(`cut: ${nameOf(label)}`);
  }

  if (document.documentElement.scrollWidth > wide)
    faults.push(`the page is ${document.documentElement.scrollWidth} wide`);
  const main = document.querySelector('main');
  if (main && main.scrollWidth > main.clientWidth + 1)
    faults.push(`the content is ${main.scrollWidth} of ${main.clientWidth} wide`);
  return faults.slice(0, 8);

  function scrollPositions(from: Element): [Element, number, number][] {
    const found: [Element, number, number][] = [];
    for (let node: Element | null = from.parentElement; node; node = node.parentElement)
      if (node.scrollHeight > node.clientHeight || node.scrollWidth > node.clientWidth)
        found.push([node, node.scrollLeft, node.scrollTop]);
    return found;
  }
}
