import { useState, type ReactNode } from 'react';

/** What is seldom needed, folded away. Whoever opens it once has it open for every field. */
let wasOpen = false;
export function More({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(wasOpen);
  return (
    <details
      className="studio-more"
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
