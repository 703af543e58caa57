import * as styles from './shell.module.css';

/** The line below the bar while requests are on their way. */
export function LoadingLine() {
  return <div className={styles.shellLoading} role="progressbar" aria-label="Loading" />;
}
