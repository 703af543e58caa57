import type { Definition, Kanban } from '../../../engine/definitions/definition';
import * as statesStyles from '../../states/states.module.css';
import * as styles from './kanban.module.css';

interface BoardSkeletonProps {
  kanban: Kanban;
  /** The resource of the columns. */
  target: Definition | undefined;
  /** The filter on the column field. */
  filter: unknown;
  isPhone: boolean;
}

/** The number of columns if the resource is unknown. */
const defaultCount = 4;

/** A board's skeleton in its final geometry. */
export function BoardSkeleton({ kanban, target, filter, isPhone }: BoardSkeletonProps) {
  const knownCount = Object.keys(target?.chip?.marks ?? {}).length || defaultCount;
  const columns = filter === undefined ? knownCount : [filter].flat().length;
  return (
    <>
      {isPhone && <div className={styles.boardTabs} data-waiting aria-hidden="true" />}
      <div className={styles.board} role="status" style={{ ['--columns' as string]: columns }}>
        <span className="unseen">Loading…</span>
        {Array.from({ length: columns }, (_, index) => (
          <div key={index} className={styles.boardColumn} aria-hidden="true">
            <header>
              <span className={statesStyles.skeleton} style={{ width: '40%' }} />
            </header>
            <ul className={styles.boardStack}>
              <WaitingCards kanban={kanban} />
            </ul>
          </div>
        ))}
      </div>
    </>
  );
}

/** Skeletons of a column's cards, one line for each of their parts. */
export function WaitingCards({ kanban }: { kanban: Kanban }) {
  return Array.from({ length: 3 }, (_, index) => (
    <li key={index} className={styles.boardCard} aria-hidden="true" data-fixed data-waiting>
      <Line height={16} width="30%" />
      <Line height={20} width="80%" />
      {kanban.lines.length > 0 && (
        <div className={styles.boardWaitingLines}>
          {kanban.lines.map(({ field }) => (
            <Line key={field} height={16} width="60%" />
          ))}
        </div>
      )}
      {kanban.priority !== undefined && <Line height={22} width="36%" />}
      <Line height={24} width="50%" />
    </li>
  ));
}

function Line({ height, width }: { height: number; width: string }) {
  return (
    <span className={styles.boardWaiting} style={{ height }}>
      <span className={statesStyles.skeleton} style={{ width }} />
    </span>
  );
}
