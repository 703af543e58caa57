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
  const of = (name: Parameters<typeof colour>[0]) => colour(name, scheme);
  const white = of('on-accent');
  const priority = (name: 'urgent' | 'high' | 'medium' | 'low') => ({
    dot: of(name),
    tint: of(`${name}-bg`),
    text: of(`${name}-t`),
  });
  return {
    mode: scheme,
    primary: { main: of('accent'), dark: of('accent-hover'), light: of('accent-line'), contrastText: white },
    secondary: { main: of('t2'), dark: of('t1'), light: of('t3'), contrastText: of('surface') },
    error: { main: of('danger'), dark: of('danger-hover'), light: of('urgent'), contrastText: white },
    warning: { main: of('medium'), dark: of('medium-t'), light: of('medium'), contrastText: '#1A2330' },
    success: { main: of('low'), dark: of('low-t'), light: of('low'), contrastText: '#0E1217' },
    info: { main: of('accent'), dark: of('accent-hover'), light: of('accent-line'), contrastText: white },
    text: { primary: of('t1'), secondary: of('t2'), disabled: of('t-off') },
    divider: of('line'),
    background: { default: of('canvas'), paper: of('surface') },
    action: {
      active: of('t3'),
      hover: of('hover'),
      selected: of('tint'),
      disabled: of('t-off'),
      disabledBackground: of('neutral-bg'),
      focus: of('hover'),
    },
    DataGrid: { bg: of('surface'), headerBg: of('sunken'), pinnedBg: of('surface') },
    priority: {
      urgent: priority('urgent'),
      high: priority('high'),
      medium: priority('medium'),
      low: priority('low'),
    },
    tint: { soft: of('tint'), strong: of('tint-2'), ink: of('accent-ink') },
    control: of('control'),
  };
}
