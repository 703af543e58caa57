import Tooltip, { type TooltipProps } from '@mui/material/Tooltip';
import { useState, type ReactElement } from 'react';

interface HintAtProps {
  /** What the hint is about; null while there is none. */
  target: Element | null;
  text: string;
  placement: TooltipProps['placement'];
  maxWidth?: number;
  onClose?: () => void;
  /** Marks the place in the document where the hint is rendered from. */
  children: ReactElement;
}

/** One tooltip for many places: they say where it is. It fades with the words and at the place that it had. */
export function HintAt({ target, text, placement, maxWidth, onClose, children }: HintAtProps) {
  const open = target !== null && text !== '';
  const [last, setLast] = useState({ target, text });
  if (open && (last.target !== target || last.text !== text)) setLast({ target, text });
  return (
    <Tooltip
      describeChild
      open={open}
      onClose={onClose}
      // Not a plain text, which would name the child of it.
      title={<>{last.text}</>}
      placement={placement}
      slotProps={{
        popper: { anchorEl: last.target, sx: { pointerEvents: 'none' } },
        ...(maxWidth !== undefined && { tooltip: { sx: { maxWidth } } }),
      }}
    >
      {children}
    </Tooltip>
  );
}
