import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { useState, type ReactNode } from 'react';

/** Rarely used inputs, collapsed. Stays open for other fields once it was opened. */
let wasOpen = false;
export function MoreProperties({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(wasOpen);
  return (
    <details
      open={open}
      onToggle={(event) => {
        wasOpen = event.currentTarget.open;
        setOpen(wasOpen);
      }}
    >
      <Box component="summary" sx={{ color: 'var(--t2)', fontSize: 13, fontWeight: 500, cursor: 'pointer' }}>
        More
      </Box>
      <Stack sx={{ gap: 3.5, mt: 3 }}>{open && children}</Stack>
    </details>
  );
}
