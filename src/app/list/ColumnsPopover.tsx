import Popover from '@mui/material/Popover';
import { useState } from 'react';
import { lazyComponent, LoadingFallback } from '../states/lazyComponent';
import * as chooserStyles from './column-chooser.module.css';
import * as menuStyles from './menus.module.css';

const GroupChooser = lazyComponent(() =>
  import('./groups/GroupChooser').then((part) => ({ default: part.GroupChooser })),
);
const ColumnChooser = lazyComponent(() => import('./ColumnChooser').then((part) => ({ default: part.ColumnChooser })));

interface ColumnsPopoverProps {
  /** The anchor element; null: closed. */
  anchor: HTMLElement | null;
  /** It opens with the choice of grouping. */
  grouping?: boolean;
  onClose: () => void;
}

/** The chooser of columns, or of grouping and totals, below what opened it. */
export function ColumnsPopover({ anchor, onClose, grouping = false }: ColumnsPopoverProps) {
  const [isGroup, setGroup] = useState(grouping);
  return (
    <Popover
      open={anchor !== null}
      anchorEl={anchor}
      onClose={onClose}
      className={menuStyles.below}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      slotProps={{
        transition: { onExited: () => setGroup(grouping) },
        paper: {
          role: 'dialog',
          'aria-label': isGroup ? 'Group and totals' : 'Columns',
          className: chooserStyles.columns,
        },
      }}
    >
      <LoadingFallback fallback={<div className={chooserStyles.columnsWait} />}>
        {isGroup ? (
          <GroupChooser onClose={onClose} />
        ) : (
          <ColumnChooser onClose={onClose} onGroup={() => setGroup(true)} />
        )}
      </LoadingFallback>
    </Popover>
  );
}
