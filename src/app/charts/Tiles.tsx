import { Link, type To } from 'react-router-dom';
import { formatNumber } from '../../engine/formats/numbers';
import * as statesStyles from '../states/states.module.css';
import * as styles from './charts.module.css';

/** A labelled count. */
export interface TileData {
  readonly key: string;
  readonly label: string;
  /** Undefined while loading. */
  readonly count?: number | string;
  readonly tone?: 'good' | 'bad';
  /** The list that it counts. */
  readonly to?: To;
}

/** Counts side by side in one card, each linking to its list. */
export function Tiles({ tiles, label }: { tiles: readonly TileData[]; label: string }) {
  return (
    <ul className={styles.tiles} aria-label={label}>
      {tiles.map(({ key, label: name, count, tone, to: target }) => {
        const words = (
          <>
            <b className="num" data-tone={count === 0 ? undefined : tone}>
              {typeof count === 'number'
                ? formatNumber(count)
                : (count ?? <span className={`${statesStyles.skeleton} ${styles.tilesSkeleton}`} aria-hidden="true" />)}
            </b>
            <span>{name}</span>
          </>
        );
        return <li key={key}>{target ? <Link to={target}>{words}</Link> : <div>{words}</div>}</li>;
      })}
    </ul>
  );
}
