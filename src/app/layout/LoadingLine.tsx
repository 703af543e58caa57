import * as styles from './loading-line.module.css';

/** The line below the bar while something is loading. It belongs to no part of the page, so it is a live region. */
export function LoadingLine() {
  return (
    <div aria-live="polite">
      <div className={styles.shellLoading} role="progressbar" aria-label="Loading" />
    </div>
  );
}
