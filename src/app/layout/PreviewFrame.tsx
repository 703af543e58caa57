import { useEffect, useState, type CSSProperties, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { FramedTheme } from '../theme/FramedTheme';
import { FramedContext } from './FramedContext';

// Emotion adds its own styles to each page.
const styleSelector = 'link[rel=stylesheet], style:not([data-emotion])';

/** Copies the style sheets into a nested page; resolves when they have loaded. */
async function copyStyles(page: Document): Promise<void> {
  page.documentElement.dataset.theme = document.documentElement.dataset.theme;
  await Promise.all([...document.head.querySelectorAll(styleSelector)].map((sheet) => copySheet(page, sheet)));
}

/** Copies style sheets that are loaded later, and follows the theme. Returns a function that stops it. */
function syncStyles(page: Document): () => void {
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

// Without a doctype the page would render in quirks mode.
const blankPage = '<!doctype html><html lang="en"><head></head><body></body></html>';

interface PreviewFrameProps {
  /** The accessible name of its contents. */
  title: string;
  className?: string;
  /** The scale; a smaller one lays the page out wider by as much. */
  scale?: number;
  children: ReactNode;
}

/** Scales down without changing the occupied size. */
function scaledStyle(scale: number): CSSProperties {
  const share = `${100 / scale}%`;
  return {
    width: share,
    height: share,
    flex: 'none',
    alignSelf: 'start',
    transform: `scale(${scale})`,
    transformOrigin: '0 0',
  };
}

/** An iframe whose contents render at its width, with all React contexts of the page around it. */
export function PreviewFrame({ title, className, scale = 1, children }: PreviewFrameProps) {
  const [page, setPage] = useState<Document | null>(null);
  useEffect(() => (page ? syncStyles(page) : undefined), [page]);
  return (
    <>
      <iframe
        title={title}
        className={className}
        style={scale === 1 ? undefined : scaledStyle(scale)}
        srcDoc={blankPage}
        onLoad={({ currentTarget }) => {
          const loadedDocument = currentTarget.contentDocument;
          if (loadedDocument) void copyStyles(loadedDocument).then(() => setPage(loadedDocument));
        }}
      />
      {page &&
        createPortal(
          <FramedContext value={page}>
            <FramedTheme page={page}>{children}</FramedTheme>
          </FramedContext>,
          page.body,
        )}
    </>
  );
}
