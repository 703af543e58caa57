import { Icon } from '../icons/Icon';
import { type ComponentOverrides } from './overrides';
import { token } from './tokens';

const tinted = (name: 'urgent' | 'high' | 'medium' | 'low' | 'violet' | 'teal') => ({
  background: token(`${name}-bg`),
  color: token(`${name}-t`),
});
const accented = { background: token('tint'), color: token('accent-ink') };

/** Overrides of display components: chips, messages, tables, pages. */
export const displayOverrides: ComponentOverrides = {
  MuiChip: {
    defaultProps: { deleteIcon: <Icon name="x" size={14} /> },
    styleOverrides: {
      root: {
        height: 22,
        borderRadius: token('r-chip'),
        background: token('neutral-bg'),
        color: token('neutral-t'),
        fontSize: 12,
        lineHeight: '16px',
        fontWeight: 500,
        variants: [
          { props: { color: 'error' }, style: tinted('urgent') },
          { props: { color: 'warning' }, style: tinted('medium') },
          { props: { color: 'success' }, style: tinted('low') },
          { props: { color: 'info' }, style: accented },
          { props: { color: 'primary' }, style: accented },
          {
            props: { variant: 'outlined' },
            style: { borderColor: token('line-2'), background: 'none', color: token('t2') },
          },
        ],
        '&.MuiChip-clickable:hover': { background: token('tint-2'), color: token('accent-ink') },
        '&.Mui-disabled': { opacity: 1 },
      },
      label: { padding: '0 8px' },
      icon: { marginLeft: 7, marginRight: -2, color: 'inherit' },
      deleteIcon: { width: 14, height: 14, margin: '0 5px 0 -3px', color: 'inherit', '&:hover': { color: 'inherit' } },
    },
  },
  MuiAvatar: {
    styleOverrides: {
      root: {
        width: 24,
        height: 24,
        background: token('neutral-bg'),
        color: token('neutral-t'),
        fontSize: 10,
        fontWeight: 600,
      },
    },
  },
  MuiBadge: {
    styleOverrides: { colorError: { minWidth: 14, height: 14, padding: '0 3px', fontSize: 10, fontWeight: 600 } },
  },
  MuiAlert: {
    styleOverrides: {
      root: {
        padding: '10px 12px',
        fontSize: 13,
        lineHeight: '20px',
        border: 0,
        variants: [
          { props: { severity: 'error' }, style: tinted('urgent') },
          { props: { severity: 'warning' }, style: tinted('medium') },
          { props: { severity: 'success' }, style: tinted('low') },
          { props: { severity: 'info' }, style: accented },
        ],
      },
      icon: { marginRight: 10, padding: '2px 0', fontSize: 16, color: 'inherit !important' },
      message: { padding: 0 },
      action: { padding: 0, marginTop: -4 },
    },
  },
  MuiSkeleton: { styleOverrides: { root: { borderRadius: 4, background: token('neutral-bg') } } },
  MuiLinearProgress: {
    styleOverrides: {
      root: { height: 4, borderRadius: 2, background: token('line') },
      bar: { background: token('accent') },
    },
  },
  MuiCircularProgress: { styleOverrides: { root: { color: token('accent-line') } } },
  MuiTableCell: {
    styleOverrides: {
      root: { padding: '0 12px', borderColor: token('line'), fontSize: 13, lineHeight: '20px' },
      body: { height: 50 },
      head: {
        height: 50,
        background: token('sunken'),
        color: token('t3'),
        fontSize: 12,
        lineHeight: '16px',
        fontWeight: 500,
      },
    },
  },
  MuiTableRow: {
    styleOverrides: {
      root: {
        '&.MuiTableRow-hover:hover': { background: token('hover') },
        '&.Mui-selected, &.Mui-selected:hover': { background: token('tint') },
      },
    },
  },
  MuiPaginationItem: {
    styleOverrides: {
      root: {
        minWidth: 28,
        height: 28,
        margin: 0,
        padding: '0 4px',
        borderRadius: token('r-chip'),
        color: token('t2'),
        fontSize: 13,
        fontWeight: 500,
        fontVariantNumeric: 'tabular-nums',
        '&.Mui-selected, &.Mui-selected:hover': { background: token('tint-2'), color: token('accent-ink') },
      },
    },
  },
  MuiTypography: { defaultProps: { variantMapping: { body1: 'p', body2: 'p' } } },
};
