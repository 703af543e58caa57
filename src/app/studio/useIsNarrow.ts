import useMediaQuery from '@mui/material/useMediaQuery';

/** Whether there is room for only one pane of the editor. */
export function useIsNarrow(): boolean {
  return useMediaQuery('(max-width: 1100px)', { noSsr: true });
}
