import Box from '@mui/material/Box';
import { useId, type ReactNode } from 'react';
import { Link, type To } from 'react-router-dom';
import { formatNumber } from '../../../engine/formats/numbers';
import * as chartStyles from '../../charts/charts.module.css';
import { useKeptHeight } from './useKeptHeight';
import * as styles from './pages.module.css';

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
      {total !== undefined && <b className="num">{formatNumber(total)}</b>}
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
