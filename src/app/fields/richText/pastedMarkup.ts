import { lastOf } from '../../../engine/values/lookups';
/** Markup of the clipboard as the editor reads it, and how many pictures were in it, which no text here has. */
export interface PastedMarkup {
  readonly html: string;
  readonly pictures: number;
}

/** A list of a word processor that is open, with its level and whether it is numbered. */
interface OpenList {
  readonly list: HTMLElement;
  readonly level: number;
}

/**
 * Rewrites pasted markup: word processors write the items of a list as paragraphs with a mark, which become lists
 * again. The document is parsed without loading anything.
 */
export function readPastedMarkup(html: string): PastedMarkup {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const images = [...page.querySelectorAll('img')];
  for (const image of images) image.remove();
  let open: OpenList[] = [];
  for (const item of page.querySelectorAll<HTMLElement>('p[style*="mso-list:"], h1[style*="mso-list:"]')) {
    const level = Number(/mso-list:[^;]*\blevel(\d+)/.exec(item.getAttribute('style') ?? '')?.[1] ?? 1);
    const mark = item.querySelector<HTMLElement>('[style*="mso-list:Ignore"], [style*="mso-list: Ignore"]');
    const tag = /^\s*(?:\d+|[a-z]{1,4})[.)]/i.test(mark?.textContent ?? '') ? 'ol' : 'ul';
    mark?.remove();
    if (item.previousElementSibling !== open[0]?.list) open = [];
    while (open.length > 1 && lastOf(open).level > level) open.pop();
    const top = open.at(-1);
    const isNested = top !== undefined && top.level < level;
    if (!top || isNested || top.list.localName !== tag) {
      const list = page.createElement(tag);
      const container = isNested ? top.list.lastElementChild : top && open.length > 1 ? top.list.parentElement : null;
      if (container) container.append(list);
      else item.before(list);
      open = [...(isNested ? open : open.slice(0, container ? -1 : 0)), { list, level }];
    }
    const line = page.createElement('li');
    const text = page.createElement('p');
    text.append(...item.childNodes);
    line.append(text);
    lastOf(open).list.append(line);
    item.remove();
  }
  return { html: page.body.innerHTML, pictures: images.length };
}
