import useMediaQuery from '@mui/material/useMediaQuery';
import { useMemo } from 'react';
import { useThemeChoice } from '../theme/themeChoice';

/** A colour as tokens name it (`accent`, `urgent-bg`), or as it is written (`#f5bc00`). */
export type Colour = string;

/** What draws on a canvas cannot read CSS variables: gives the colours of the scheme in force, and new ones with it. */
export function useColours(): (colour: Colour) => string {
  const { scheme } = useThemeChoice();
  const isForced = useMediaQuery('(forced-colors: active)', { noSsr: true });
  return useMemo(() => {
    // Read when the scheme has changed, never from a memory of the one before.
    void scheme;
    const style = getComputedStyle(document.documentElement);
    const written = (colour: Colour) =>
      colour.startsWith('#') ? colour : style.getPropertyValue(`--${colour}`).trim() || '#888888';
    return (colour) => (isForced ? forced[colour] : undefined) ?? written(colour);
  }, [isForced, scheme]);
}

/** What contrast themes of the system draw text, lines and grounds in. A canvas is not told by itself. */
const forced: Readonly<Record<Colour, string>> = {
  t1: 'CanvasText',
  t2: 'CanvasText',
  t3: 'CanvasText',
  line: 'GrayText',
  'line-2': 'CanvasText',
  surface: 'Canvas',
  raised: 'Canvas',
};

/** The two parts of a doughnut whose parts have no colour of their own. */
export const doughnutColours = ['#046bb5', '#dbedff'] as const satisfies readonly Colour[];

/** By a priority's place: urgent, high, medium, low; what comes after them is grey. */
export function priorityColour(index: number): Colour {
  return (['urgent', 'high', 'medium', 'low'] as const)[index] ?? 'control';
}

/** How a chart's tip looks: as everything that is raised above the page. */
export function tipLook(colour: (colour: Colour) => string) {
  return {
    backgroundColor: colour('raised'),
    borderColor: colour('line-2'),
    borderWidth: 1,
    titleColor: colour('t1'),
    bodyColor: colour('t2'),
    boxPadding: 4,
  };
}
