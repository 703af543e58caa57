import { useEffect, useState, type CSSProperties, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { FramedTheme } from '../theme/FramedTheme';
import { FramedContext } from './FramedContext';
import { copyStyles, syncStyles } from './frameStyles';

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
