import useMediaQuery from '@mui/material/useMediaQuery';

/** Whether there is room for one part of the editor only. */
export function useNarrow(): boolean {
  return useMediaQuery('(max-width: 1100px)', { noSsr: true });
}
