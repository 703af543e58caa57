import { useMemo } from 'react';
import { useThemeChoice } from '../theme/themeChoice';

/** A colour as tokens name it (`accent`, `urgent-bg`), or as it is written (`#f5bc00`). */
export type Colour = string;

/** What draws on a canvas cannot read CSS variables: gives the colours of the scheme in force, and new ones with it. */
export function useColours(): (colour: Colour) => string {
  const { scheme } = useThemeChoice();
  return useMemo(() => {
    // Read when the scheme has changed, never from a memory of the one before.
    void scheme;
    const style = getComputedStyle(document.documentElement);
    return (colour) => (colour.startsWith('#') ? colour : style.getPropertyValue(`--${colour}`).trim() || '#888888');
  }, [scheme]);
}

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
