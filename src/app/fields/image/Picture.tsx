import { useState } from 'react';
import * as styles from '../shared-values.module.css';

/** A picture that links to its full size. Its address is only valid for a short time. `kind` is what it is called. */
export function Picture({ name, url, kind = 'Picture' }: { name: string; url: string; kind?: string }) {
  const [failed, setFailed] = useState(false);
  if (failed)
    return (
      <p className={styles.sharedNothing}>
        The {kind.toLowerCase()} could not be loaded. Load the page again to see it.
      </p>
    );
  return (
    <a className={styles.sharedShot} href={url} target="_blank" rel="noopener noreferrer">
      <img src={url} alt={`${kind} ${name}`} onError={() => setFailed(true)} />
    </a>
  );
}
