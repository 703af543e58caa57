import type { ComparedSide } from './sides';
import * as chipsStyles from '../../chips/chips.module.css';
import * as studioStyles from '../studio.module.css';
import * as styles from './versions.module.css';

interface VersionListProps {
  sides: readonly ComparedSide[];
  comparedSides: readonly ComparedSide[];
  /** The draft's number of changes in words; empty without a draft. */
  changes: string;
  onPick: (side: ComparedSide) => void;
}

/** All versions, newest first; the two that are compared are marked. */
export function VersionList({ sides, comparedSides, changes, onPick }: VersionListProps) {
  const count = sides.filter(({ version }) => version !== undefined).length;
  return (
    <nav className={styles.compareList} aria-label="Versions">
      <header>
        <h2>
          Versions<small className="num">{count}</small>
        </h2>
      </header>
      <ul>
        {sides.map((side) => (
          <li key={side.key}>
            <button type="button" aria-pressed={comparedSides.includes(side)} onClick={() => onPick(side)}>
              <b>{side.title}</b>
              {side.current && (
                <span className={`${chipsStyles.chip} ${studioStyles.studioKind}`}>
                  <span>published</span>
                </span>
              )}
              <small>
                {side.author}
                {side.version === undefined && changes && `, ${changes}`}
              </small>
              {side.note && <small>{side.note}</small>}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
