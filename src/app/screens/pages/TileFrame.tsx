import { useId, type ReactNode } from 'react';
import { Link, type To } from 'react-router';
import { formatNumber } from '../../../engine/formats/numbers';
import * as chartStyles from '../../charts/charts.module.css';
import { useKeptHeight } from './useKeptHeight';
import * as styles from './pages.module.css';

interface TileFrameProps {
  title: string;
  /** Its contents are not there yet. `of`: what it shows, for the space that it keeps until then. */
  waits?: { readonly of: string; readonly now: boolean };
  /** How many there are. */
  total?: number;
  /** The list with all of them. */
  to?: To;
  tools?: ReactNode;
  children: ReactNode;
}

/** The card of a tile, with its title and how many there are. */
export function TileFrame({ title, waits, total, to, tools, children }: TileFrameProps) {
  const id = useId();
  const kept = useKeptHeight(waits?.of ?? title, waits?.now ?? false);
  const words = (
    <>
      {title}
      {total !== undefined && <b className="num">{formatNumber(total)}</b>}
    </>
  );
  return (
    <section {...kept} className={`${chartStyles.figure} ${styles.tile}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{to === undefined ? words : <Link to={to}>{words}</Link>}</h2>
        <span className={styles.tileTools}>{tools}</span>
      </header>
      {children}
    </section>
  );
}
