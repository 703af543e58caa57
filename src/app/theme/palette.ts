import type { PaletteOptions } from '@mui/material/styles';
import { colour, type Scheme } from './tokens';

/** How urgent something is: the dot, the tint behind it, and the text on the tint. */
export interface PriorityColours {
  dot: string;
  tint: string;
  text: string;
}

interface OwnPalette {
  priority: Record<'urgent' | 'high' | 'medium' | 'low', PriorityColours>;
  /** Background of selected rows and chips and of the active menu entry, and the text on it. */
  tint: { soft: string; strong: string; ink: string };
  /** Edges of inputs and checkboxes. */
  control: string;
}

declare module '@mui/material/styles' {
  interface Palette extends OwnPalette {}
  interface PaletteOptions extends Partial<OwnPalette> {}
}

/** The palette of a scheme. Literal colours, because MUI computes with them; use `token()` in styles. */
export function paletteOf(scheme: Scheme): PaletteOptions {
  const colourOf = (name: Parameters<typeof colour>[0]) => colour(name, scheme);
  const white = colourOf('on-accent');
  const priority = (name: 'urgent' | 'high' | 'medium' | 'low') => ({
    dot: colourOf(name),
    tint: colourOf(`${name}-bg`),
    text: colourOf(`${name}-t`),
  });
  return {
    mode: scheme,
    primary: {
      main: colourOf('accent'),
      dark: colourOf('accent-hover'),
      light: colourOf('accent-line'),
      contrastText: white,
    },
    secondary: { main: colourOf('t2'), dark: colourOf('t1'), light: colourOf('t3'), contrastText: colourOf('surface') },
    error: { main: colourOf('danger'), dark: colourOf('danger-hover'), light: colourOf('urgent'), contrastText: white },
    warning: {
      main: colourOf('medium'),
      dark: colourOf('medium-t'),
      light: colourOf('medium'),
      contrastText: '#1A2330',
    },
    success: { main: colourOf('low'), dark: colourOf('low-t'), light: colourOf('low'), contrastText: '#0E1217' },
    info: {
      main: colourOf('accent'),
      dark: colourOf('accent-hover'),
      light: colourOf('accent-line'),
      contrastText: white,
    },
    text: { primary: colourOf('t1'), secondary: colourOf('t2'), disabled: colourOf('t-off') },
    divider: colourOf('line'),
    background: { default: colourOf('canvas'), paper: colourOf('surface') },
    action: {
      active: colourOf('t3'),
      hover: colourOf('hover'),
      selected: colourOf('tint'),
      disabled: colourOf('t-off'),
      disabledBackground: colourOf('neutral-bg'),
      focus: colourOf('hover'),
    },
    DataGrid: { bg: colourOf('surface'), headerBg: colourOf('sunken'), pinnedBg: colourOf('surface') },
    priority: {
      urgent: priority('urgent'),
      high: priority('high'),
      medium: priority('medium'),
      low: priority('low'),
    },
    tint: { soft: colourOf('tint'), strong: colourOf('tint-2'), ink: colourOf('accent-ink') },
    control: colourOf('control'),
  };
}
