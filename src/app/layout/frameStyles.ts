// Emotion adds its own styles to each page.
const styleSelector = 'link[rel=stylesheet], style:not([data-emotion])';

/** Copies the style sheets into a nested page; resolves when they have loaded. */
export async function copyStyles(page: Document): Promise<void> {
  page.documentElement.dataset.theme = document.documentElement.dataset.theme;
  await Promise.all([...document.head.querySelectorAll(styleSelector)].map((sheet) => copySheet(page, sheet)));
}

/** Copies style sheets that are loaded later, and follows the theme. Returns a function that stops it. */
export function syncStyles(page: Document): () => void {
  const observer = new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
      if (node instanceof Element && node.matches(styleSelector)) void copySheet(page, node);
  });
  observer.observe(document.head, { childList: true });
  const root = document.documentElement;
  const theme = new MutationObserver(() => {
    page.documentElement.dataset.theme = root.dataset.theme;
  });
  theme.observe(root, { attributeFilter: ['data-theme'] });
  return () => {
    observer.disconnect();
    theme.disconnect();
  };
}

function copySheet(page: Document, sheet: Element): Promise<void> {
  const copy = page.importNode(sheet, true);
  // The nested page has no URL to resolve relative links with.
  if (copy instanceof HTMLLinkElement || 'href' in copy)
    (copy as HTMLLinkElement).href = (sheet as HTMLLinkElement).href;
  const loading = sheet.matches('link')
    ? new Promise<void>((resolve) => {
        copy.addEventListener('load', () => resolve());
        copy.addEventListener('error', () => resolve());
      })
    : Promise.resolve();
  page.head.append(copy);
  return loading;
}
