import { useEffect, useState } from 'react';
import { Logo } from './Logo';
import * as styles from './brand.module.css';

/** Milliseconds after which the page says that loading takes long. */
const slowAfter = 10_000;

/** Shown while the application loads; after a while with a button to reload. */
export function Splash() {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), slowAfter);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={styles.splash} role="status">
      <Logo size={40} />
      {isLate ? (
        <>
          <p>This takes longer than usual. The connection may be slow or lost.</p>
          <button type="button" onClick={() => window.location.reload()}>
            Reload
          </button>
        </>
      ) : (
        <span className="unseen">Loading…</span>
      )}
    </div>
  );
}
