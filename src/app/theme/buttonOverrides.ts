import { phone, quickTransition, type ComponentOverrides } from './overrides';
import { token } from './tokens';

const focus = { outline: `2px solid ${token('accent-line')}`, outlineOffset: 2, boxShadow: 'none' };

/** Buttons: 28, 32 (default) or 36 px (dialogs, save bars) high; 40 on phones. */
export const buttonOverrides: ComponentOverrides = {
  MuiButtonBase: {
    defaultProps: { disableRipple: true, disableTouchRipple: true },
    styleOverrides: { root: { '&.Mui-focusVisible': focus } },
  },
  MuiButton: {
    defaultProps: { disableElevation: true },
    styleOverrides: {
      root: {
        minWidth: 0,
        padding: '0 12px',
        height: 32,
        fontSize: 13,
        lineHeight: '16px',
        whiteSpace: 'nowrap',
        transition: quickTransition,
        [phone]: { height: 40 },
        variants: [
          { props: { size: 'small' }, style: { height: 28, padding: '0 10px' } },
          { props: { size: 'large' }, style: { height: 36, padding: '0 16px', fontSize: 14 } },
          {
            props: { variant: 'outlined' },
            style: {
              borderColor: token('line-2'),
              background: token('surface'),
              color: token('t1'),
              '&:hover, &[aria-expanded=true]': { borderColor: token('line-2'), background: token('hover') },
              '&[aria-expanded=true]': { borderColor: token('control') },
              '& .MuiButton-icon': { color: token('t3') },
              '&.Mui-disabled': { borderColor: token('line-2'), color: token('t-off') },
            },
          },
          {
            props: { variant: 'text' },
            style: { color: token('t2'), '&:hover': { background: token('hover') } },
          },
          { props: { variant: 'outlined', color: 'error' }, style: { color: token('urgent-t') } },
          { props: { variant: 'text', color: 'error' }, style: { color: token('urgent-t') } },
          { props: { variant: 'text', color: 'info' }, style: { color: token('accent-text') } },
        ],
      },
      startIcon: { marginLeft: -2, marginRight: 6, '& > svg': { width: 16, height: 16, fontSize: 16 } },
      endIcon: { marginRight: -2, marginLeft: 6, '& > svg': { width: 16, height: 16, fontSize: 16 } },
    },
  },
  MuiIconButton: {
    styleOverrides: {
      root: {
        width: 32,
        height: 32,
        padding: 0,
        flex: 'none',
        borderRadius: token('r'),
        color: token('t3'),
        fontSize: 18,
        transition: quickTransition,
        '&:hover': { background: token('hover'), color: token('accent-text') },
        '&[aria-expanded=true]': { background: token('tint'), color: token('accent-text') },
        '&.Mui-disabled': { color: token('t-off') },
        [phone]: { width: 40, height: 40 },
        variants: [
          {
            props: { size: 'small' },
            style: {
              width: 28,
              height: 28,
              borderRadius: token('r-chip'),
              fontSize: 16,
              [phone]: { width: 40, height: 40 },
            },
          },
        ],
      },
    },
  },
  MuiToggleButtonGroup: {
    styleOverrides: { root: { height: 32, background: token('surface'), [phone]: { height: 40 } } },
  },
  MuiToggleButton: {
    styleOverrides: {
      root: {
        gap: 6,
        padding: '0 10px',
        borderColor: token('line-2'),
        color: token('t2'),
        fontSize: 13,
        lineHeight: '16px',
        fontWeight: 500,
        textTransform: 'none',
        '&:hover': { background: token('hover') },
        '&.Mui-selected, &.Mui-selected:hover': { background: token('tint'), color: token('accent-ink') },
      },
    },
  },
  MuiLink: { defaultProps: { underline: 'hover' }, styleOverrides: { root: { color: token('accent-text') } } },
};
