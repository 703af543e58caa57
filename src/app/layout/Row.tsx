import Stack, { type StackProps } from '@mui/material/Stack';

/** Parts side by side, centred on a line. */
export const Row = (({ sx, ...props }: StackProps) => (
  <Stack direction="row" {...props} sx={[{ alignItems: 'center' }, ...(Array.isArray(sx) ? sx : [sx])]} />
)) as typeof Stack;
