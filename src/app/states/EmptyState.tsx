import type { ReactNode } from 'react';
import type { EmptyPicture } from '../../engine/definitions/list';
import { lazyComponent, LoadingFallback } from './lazyComponent';
import * as styles from './states.module.css';

const EmptyPictureArt = lazyComponent(() => import('./EmptyPictureArt'));

export interface EmptyStateProps {
  title?: string;
  /** One sentence: why it is empty, or what to do next. */
  sentence?: ReactNode;
  /** A picture in place of rows under a lens. */
  picture?: EmptyPicture;
  /** The button or buttons that do it. */
  action?: ReactNode;
}

/** Shown if there are no records. */
export function EmptyState({ title = 'No Data Found', sentence, picture, action }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      {picture ? (
        <LoadingFallback fallback={<div className={styles.stateRoom} />}>
          <EmptyPictureArt name={picture} />
        </LoadingFallback>
      ) : (
        <RowsUnderLens />
      )}
      <h2>{title}</h2>
      {sentence && <p>{sentence}</p>}
      {action && <div className={styles.stateActions}>{action}</div>}
    </div>
  );
}

function RowsUnderLens() {
  return (
    <svg className={styles.stateArt} width="120" height="88" viewBox="0 0 120 88" aria-hidden="true">
      <rect x="22.5" y="6.5" width="75" height="44" rx="8" />
      <rect x="12.5" y="18.5" width="95" height="56" rx="8" />
      <rect className={styles.stateMark} x="24" y="32" width="20" height="20" rx="6" />
      <path d="M54 37h40M54 47h24M24 63h54" />
      <g className={styles.stateLens}>
        <circle cx="96" cy="69" r="13.5" />
        <path d="m105.8 78.8 6 6" />
      </g>
    </svg>
  );
}
