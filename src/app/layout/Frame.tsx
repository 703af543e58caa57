import { useEffect, useState, type CSSProperties, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { FramedTheme } from '../theme/FramedTheme';
import { FramedContext } from './framed';
import { dress, followStyles } from './frameStyles';

// Without a type of its own the page would be laid out as pages of last century are.
const blank = '<!doctype html><html lang="en"><head></head><body></body></html>';

interface FrameProps {
  /** What is shown in it, in words. */
  title: string;
  className?: string;
  /** Shown smaller, it is laid out as wider by as much. */
  scale?: number;
  children: ReactNode;
}

/** Takes the room that it would take at its full size. */
function shrunk(scale: number): CSSProperties {
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

/** A page within the page, as wide as it is: what is in it looks as on a screen of that width, and shares all contexts. */
export function Frame({ title, className, scale = 1, children }: FrameProps) {
  const [page, setPage] = useState<Document | null>(null);
  useEffect(() => (page ? followStyles(page) : undefined), [page]);
  return (
    <>
      <iframe
        title={title}
        className={className}
        style={scale === 1 ? undefined : shrunk(scale)}
        srcDoc={blank}
        onLoad={({ currentTarget }) => {
          const loaded = currentTarget.contentDocument;
          if (loaded) void dress(loaded).then(() => setPage(loaded));
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
