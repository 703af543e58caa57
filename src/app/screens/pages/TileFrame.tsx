import Box from '@mui/material/Box';
import { useId, type ReactNode, useLayoutEffect, useRef, type CSSProperties, type RefObject } from 'react';
import { Link, type To } from 'react-router-dom';
import { formatTotal } from '../../../engine/formats/numbers';
import * as chartStyles from '../../charts/charts.module.css';
import * as styles from './pages.module.css';

const storageKey = 'assay.tileHeights';
/** The most tiles of which the height is kept. */
const mostKept = 300;

/** Keeps the height of an element while it waits for its contents, as it was the last time. */
interface KeptHeight {
  readonly ref: RefObject<HTMLElement | null>;
  readonly style: CSSProperties | undefined;
}

/**
 * Keeps the height of an element under a key, so that nothing below it moves when its contents arrive: most times there is as
 * much as there was.
 */
function useKeptHeight(key: string, isWaiting: boolean): KeptHeight {
  const ref = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const height = ref.current?.offsetHeight ?? 0;
    if (!isWaiting && height > 0) keep(hashOf(key), height);
  });
  return { ref, style: isWaiting ? { minHeight: heights()[hashOf(key)] } : undefined };
}

/** Short, and without the words of its conditions: browsers are shared. */
function hashOf(text: string): string {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + character.codePointAt(0)!) | 0;
  return hash.toString(36);
}

let cachedHeights: Readonly<Record<string, number>> | undefined;

function heights(): Readonly<Record<string, number>> {
  try {
    cachedHeights ??= JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Record<string, number>;
  } catch {
    cachedHeights = {};
  }
  return cachedHeights;
}

function keep(key: string, height: number): void {
  const { [key]: heightBefore, ...otherHeights } = heights();
  if (heightBefore === height) return;
  cachedHeights = Object.fromEntries([...Object.entries(otherHeights), [key, height]].slice(-mostKept)) as Record<
    string,
    number
  >;
  try {
    localStorage.setItem(storageKey, JSON.stringify(cachedHeights));
  } catch {
    // Without storage they are known as long as the tab is.
  }
}

interface TileFrameProps {
  title: string;
  /** Its contents are not there yet (`now`). `contentKey` stands for them, for the space that is kept until then. */
  waits?: { readonly contentKey: string; readonly now: boolean };
  /** How many there are. */
  total?: number;
  /** The list with all of them. */
  target?: To;
  tools?: ReactNode;
  children: ReactNode;
}

/** The card of a tile, with its title and how many there are. */
export function TileFrame({ title, waits, total, target, tools, children }: TileFrameProps) {
  const id = useId();
  const heightProps = useKeptHeight(waits?.contentKey ?? title, waits?.now ?? false);
  const words = (
    <>
      {title}
      {total !== undefined && <b className="num">{formatTotal(total)}</b>}
    </>
  );
  return (
    <section {...heightProps} className={`${chartStyles.figure} ${styles.tile}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{target === undefined ? words : <Link to={target}>{words}</Link>}</h2>
        <Box component="span" sx={{ display: 'inline-flex', flex: 'none' }}>
          {tools}
        </Box>
      </header>
      {children}
    </section>
  );
}
