import { useState, type ReactNode } from 'react';
import * as styles from './properties.module.css';

/** Rarely used inputs, collapsed. Stays open for other fields once it was opened. */
let wasOpen = false;
export function MoreProperties({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(wasOpen);
  return (
    <details
      className={styles.studioMore}
      open={open}
      onToggle={(event) => {
        wasOpen = event.currentTarget.open;
        setOpen(wasOpen);
      }}
    >
      <summary>More</summary>
      <div>{open && children}</div>
    </details>
  );
}
