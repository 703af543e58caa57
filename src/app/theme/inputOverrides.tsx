import { Icon } from '../icons/Icon';
import { BoxMark, RingMark } from './marks';
import { phone, quickTransition, type ComponentOverrides } from './overrides';
import { token } from './tokens';

const ring = `0 0 0 3px ${token('ring')}`;
const Chevron = ({ className }: { className?: string }) => <Icon name="chevron-down" className={className} />;

/** Inputs: label above, border for focus and error, 36 px high (32 in toolbars, 40 on phones). */
export const inputOverrides: ComponentOverrides = {
  MuiFormControl: { styleOverrides: { root: { minWidth: 0 } } },
  MuiInputLabel: {
    defaultProps: { shrink: true, disableAnimation: true },
    styleOverrides: {
      root: {
        position: 'static',
        transform: 'none',
        maxWidth: 'none',
        marginBottom: 6,
        color: token('t2'),
        fontSize: 13,
        lineHeight: '16px',
        fontWeight: 500,
        '&.Mui-focused, &.Mui-error': { color: token('t2') },
        '&.Mui-disabled': { color: token('t2') },
      },
    },
  },
  MuiFormLabel: {
    styleOverrides: {
      asterisk: { marginLeft: 2, color: token('urgent-t'), '&.Mui-error': { color: token('urgent-t') } },
    },
  },
  MuiFormHelperText: {
    styleOverrides: {
      root: {
        margin: '6px 0 0',
        color: token('t3'),
        fontSize: 12,
        lineHeight: '16px',
        '&.Mui-error': { color: token('urgent-t') },
      },
    },
  },
  MuiInputBase: {
    styleOverrides: {
      root: {
        fontSize: 14,
        lineHeight: '20px',
        [phone]: { fontSize: 16 },
        variants: [{ props: { size: 'small' }, style: { fontSize: 13 } }],
      },
      input: {
        textOverflow: 'ellipsis',
        '&[readonly]': { color: token('t2') },
        '&::placeholder': { color: token('t3'), opacity: 1 },
        '&:-webkit-autofill': {
          WebkitBoxShadow: `inset 0 0 0 40px ${token('surface')}`,
          WebkitTextFillColor: token('t1'),
        },
      },
    },
  },
  MuiOutlinedInput: {
    defaultProps: { notched: false },
    styleOverrides: {
      root: {
        minHeight: 36,
        background: token('surface'),
        '&:hover .MuiOutlinedInput-notchedOutline': { borderColor: token('control') },
        '&.Mui-focused': { boxShadow: ring },
        '&.Mui-focused .MuiOutlinedInput-notchedOutline': { borderWidth: 1, borderColor: token('accent-line') },
        '&.Mui-error .MuiOutlinedInput-notchedOutline': { borderWidth: 1, borderColor: token('urgent') },
        '&.Mui-error': { boxShadow: `0 0 0 1px ${token('urgent')}` },
        '&.Mui-error.Mui-focused': { boxShadow: `0 0 0 1px ${token('urgent')}, 0 0 0 4px ${token('ring')}` },
        '&.Mui-disabled, &:has(> [readonly]:not([aria-hidden]))': { background: token('sunken') },
        '&:has(> [readonly]:not([aria-hidden])) .MuiOutlinedInput-notchedOutline': { borderColor: token('line') },
        '&.Mui-disabled .MuiOutlinedInput-notchedOutline': { borderColor: token('line') },
        '&.Mui-disabled .MuiOutlinedInput-input': { color: token('t2'), WebkitTextFillColor: token('t2') },
        '.MuiDialog-paper &': { background: token('raised') },
        [phone]: { minHeight: 40 },
        variants: [
          { props: { size: 'small' }, style: { minHeight: 32, [phone]: { minHeight: 40 } } },
          { props: { multiline: true }, style: { padding: 0 } },
        ],
        '&:has(> .MuiInputAdornment-positionStart)': { paddingLeft: 10 },
        '& > .MuiInputAdornment-positionStart + .MuiOutlinedInput-input': { paddingLeft: 0 },
      },
      input: {
        height: 20,
        padding: '7px 12px',
        '&.MuiInputBase-inputMultiline': { height: 'auto', padding: '8px 12px' },
      },
      notchedOutline: {
        top: 0,
        borderColor: token('control'),
        transition: quickTransition,
        '.MuiInputBase-sizeSmall &': { borderColor: token('line-2') },
        '& legend': { display: 'none' },
      },
    },
  },
  MuiInputAdornment: { styleOverrides: { root: { color: token('t3') } } },
  MuiSelect: {
    defaultProps: { IconComponent: Chevron },
    styleOverrides: { icon: { top: 'calc(50% - 8px)', right: 12, color: token('t3') }, select: { minHeight: 0 } },
  },
  MuiAutocomplete: {
    defaultProps: { popupIcon: <Icon name="chevron-down" />, clearIcon: <Icon name="close" /> },
    styleOverrides: {
      inputRoot: { padding: '2px 4px 2px 6px', '& .MuiAutocomplete-input': { padding: '5px 6px' } },
      popupIndicator: { width: 28, height: 28, padding: 0, '&:hover': { background: 'none' } },
      clearIndicator: { width: 28, height: 28, padding: 0 },
      paper: { border: `1px solid ${token('line-2')}`, background: token('raised'), boxShadow: token('shadow') },
      listbox: { padding: 4 },
      option: {
        minHeight: '30px !important',
        padding: '0 8px !important',
        borderRadius: token('r-chip'),
        fontSize: 13,
        '&.Mui-focused': { backgroundColor: `${token('hover')} !important` },
        '&[aria-selected=true]': { backgroundColor: `${token('tint')} !important`, color: token('accent-ink') },
        [phone]: { minHeight: '40px !important', fontSize: 14 },
      },
      tag: { margin: 2 },
      noOptions: { fontSize: 13, color: token('t3') },
    },
  },
  MuiCheckbox: {
    defaultProps: {
      icon: <BoxMark state="off" />,
      checkedIcon: <BoxMark state="on" />,
      indeterminateIcon: <BoxMark state="some" />,
    },
    styleOverrides: { root: { padding: 8, borderRadius: token('r-chip'), '&:hover': { background: 'none' } } },
  },
  MuiRadio: {
    defaultProps: { icon: <RingMark />, checkedIcon: <RingMark isOn /> },
    styleOverrides: { root: { padding: 8, '&:hover': { background: 'none' } } },
  },
  MuiFormControlLabel: { styleOverrides: { root: { marginLeft: -8 }, label: { fontSize: 14, lineHeight: '20px' } } },
  MuiSwitch: {
    styleOverrides: {
      root: { width: 28, height: 16, padding: 0, margin: '8px 8px 8px 8px', overflow: 'visible' },
      switchBase: {
        padding: 2,
        color: '#fff',
        '&:hover': { background: 'none' },
        '&.Mui-checked': { transform: 'translateX(12px)', color: '#fff' },
        '&.Mui-checked + .MuiSwitch-track': { opacity: 1, background: token('accent') },
        '&.Mui-focusVisible + .MuiSwitch-track': { outline: `2px solid ${token('accent-line')}`, outlineOffset: 2 },
        '&.Mui-disabled + .MuiSwitch-track': { opacity: 0.5 },
      },
      thumb: { width: 12, height: 12, boxShadow: 'none' },
      track: { borderRadius: 8, opacity: 1, background: token('control') },
    },
  },
};
