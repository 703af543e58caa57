import Tooltip, { type TooltipProps } from '@mui/material/Tooltip';
import { useState, type ReactElement } from 'react';

interface AnchoredTooltipProps {
  /** The element that the hint is for; null for none. */
  target: Element | null;
  text: string;
  placement: TooltipProps['placement'];
  maxWidth?: number;
  onClose?: () => void;
  /** The element that the tooltip is mounted at. */
  children: ReactElement;
}

/** One tooltip for many elements. It fades out with its last text and position. */
export function AnchoredTooltip({ target, text, placement, maxWidth, onClose, children }: AnchoredTooltipProps) {
  const open = target !== null && text !== '';
  const [last, setLast] = useState({ target, text });
  if (open && (last.target !== target || last.text !== text)) setLast({ target, text });
  return (
    <Tooltip
      describeChild
      open={open}
      onClose={onClose}
      // An element instead of a string: a string would become the child's accessible name.
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
