import { phone, type ComponentOverrides } from './overrides';
import { token } from './tokens';

const floating = {
  border: `1px solid ${token('line-2')}`,
  borderRadius: token('r'),
  background: token('raised'),
  boxShadow: token('shadow'),
};

/** Surfaces on the page or floating over it. Only floating ones have a shadow. */
export const surfaceOverrides: ComponentOverrides = {
  // Without it `spacing` is a margin that each child has to leave alone.
  MuiStack: { defaultProps: { useFlexGap: true } },
  MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
  MuiCard: {
    defaultProps: { elevation: 0 },
    styleOverrides: { root: { border: `1px solid ${token('line')}`, background: token('surface') } },
  },
  MuiCardContent: { styleOverrides: { root: { padding: 16, '&:last-child': { paddingBottom: 16 } } } },
  MuiAccordion: {
    defaultProps: { elevation: 0, disableGutters: true },
    styleOverrides: { root: { border: `1px solid ${token('line')}`, '&::before': { display: 'none' } } },
  },
  MuiDivider: { styleOverrides: { root: { borderColor: token('line') } } },
  MuiBackdrop: {
    styleOverrides: { root: { backgroundColor: token('scrim') }, invisible: { backgroundColor: 'transparent' } },
  },
  MuiDialog: {
    defaultProps: { transitionDuration: 160 },
    styleOverrides: { paper: { ...floating, margin: 32, [phone]: { margin: 16 } } },
  },
  MuiDialogTitle: {
    styleOverrides: {
      root: {
        display: 'flex',
        alignItems: 'center',
        minHeight: 52,
        padding: '8px 12px 8px 20px',
        borderBottom: `1px solid ${token('line')}`,
        fontSize: 16,
        lineHeight: '24px',
        fontWeight: 600,
        letterSpacing: '-0.01em',
        '& > h1, & > h2': { flex: 1, minWidth: 0, font: 'inherit' },
      },
    },
  },
  MuiDialogContent: { styleOverrides: { root: { padding: 20, '.MuiDialogTitle-root + &': { paddingTop: 20 } } } },
  MuiDialogContentText: { styleOverrides: { root: { color: token('t2') } } },
  MuiDialogActions: {
    defaultProps: { disableSpacing: true },
    styleOverrides: {
      root: {
        gap: 8,
        padding: '12px 20px',
        borderTop: `1px solid ${token('line')}`,
        '& .MuiButton-sizeMedium': { height: 36, padding: '0 16px', fontSize: 14 },
        [phone]: { '& > .MuiButton-root': { flex: 1, height: '40px !important' } },
      },
    },
  },
  MuiDrawer: {
    defaultProps: { transitionDuration: 160 },
    styleOverrides: { paper: { width: 232, borderColor: token('line'), background: token('canvas') } },
  },
  MuiPopover: { defaultProps: { transitionDuration: 160 }, styleOverrides: { paper: floating } },
  MuiMenu: {
    defaultProps: { transitionDuration: 120 },
    styleOverrides: { paper: { minWidth: 180 }, list: { padding: 4 } },
  },
  MuiMenuItem: {
    styleOverrides: {
      root: {
        gap: 10,
        minHeight: 30,
        '@media (min-width: 600px)': { minHeight: 30 },
        padding: '0 8px',
        borderRadius: token('r-chip'),
        fontSize: 13,
        lineHeight: '16px',
        '& > .icon': { color: token('t3') },
        '&:hover, &.Mui-focusVisible': { background: token('hover'), outline: 0 },
        '[data-theme=dark] &:hover, [data-theme=dark] &.Mui-focusVisible': { background: token('neutral-bg') },
        '&.Mui-selected, &.Mui-selected:hover, &.Mui-selected.Mui-focusVisible': {
          background: token('tint'),
          color: token('accent-ink'),
          '& > .icon': { color: 'inherit' },
        },
        '&.Mui-focusVisible': { boxShadow: `inset 0 0 0 2px ${token('accent-line')}` },
        '&.Mui-disabled': { opacity: 1, color: token('t3') },
        '& + .MuiDivider-root, & + hr': { margin: '4px -4px' },
        [phone]: { minHeight: 40, fontSize: 14 },
      },
    },
  },
  MuiListItemIcon: { styleOverrides: { root: { minWidth: 26, color: token('t3') } } },
  MuiListItemText: { styleOverrides: { primary: { fontSize: 13, lineHeight: '16px' } } },
  MuiTooltip: {
    defaultProps: { enterDelay: 400, enterNextDelay: 100 },
    styleOverrides: {
      tooltip: {
        ...floating,
        padding: '5px 8px',
        color: token('t1'),
        fontSize: 12,
        lineHeight: '16px',
        fontWeight: 500,
      },
    },
  },
};
