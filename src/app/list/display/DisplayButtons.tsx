import Button from '@mui/material/Button';
import Popover from '@mui/material/Popover';
import { useRef, useState } from 'react';
import { useCommands } from '../../commands/commands';
import { Icon } from '../../icons/Icon';
import { lazyComponent, LoadingFallback } from '../../states/lazyComponent';
import { useResourceList } from '../ResourceList';
import { isSorted, type ViewChoice } from '../views';
import * as displayStyles from './display.module.css';
import * as menuStyles from '../menus.module.css';
import * as toolbarStyles from '../toolbar.module.css';

const DisplayPanel = lazyComponent(() => import('./DisplayPanel').then((part) => ({ default: part.DisplayPanel })));

interface DisplayButtonsProps {
  /** The views that have no buttons of their own in the toolbar. */
  views: readonly ViewChoice[];
  /** One button without words, as on phones. */
  isNarrow: boolean;
}

/** Opens how the list is shown: density, groups, order, totals and columns; `Columns` opens it at its columns. */
export function DisplayButtons({ views, isNarrow }: DisplayButtonsProps) {
  const { definition, view } = useResourceList();
  const [openPanel, setOpenPanel] = useState<'Columns' | 'Display' | null>(null);
  const buttons = useRef<HTMLSpanElement>(null);
  const columnsButton = useRef<HTMLButtonElement>(null);
  const displayButton = useRef<HTMLButtonElement>(null);
  // It keeps its content while it fades.
  const [shownPanel, setShownPanel] = useState<'Columns' | 'Display'>('Display');
  const open = (name: 'Columns' | 'Display') => {
    setShownPanel(name);
    setOpenPanel(name);
  };
  const hasColumns = view === 'list' && definition.list.chooseColumns;
  useCommands(
    () => [
      {
        ...{ id: 'columns', label: 'Choose columns', icon: 'columns', keys: 'Shift+C', opensInput: true },
        run: () => open('Columns'),
      },
    ],
    hasColumns,
  );
  const isUseful = views.length > 0 || isSorted(view) || hasColumns;
  useCommands(
    () => [{ id: 'display', label: 'Display options', icon: 'sliders', keys: 'Shift+D', run: () => open('Display') }],
    isUseful,
  );
  if (!isUseful) return null;
  return (
    <span ref={buttons} className={displayStyles.buttons}>
      {!isNarrow && hasColumns && (
        <Button
          ref={columnsButton}
          variant="text"
          title="Columns"
          startIcon={<Icon name="columns" />}
          aria-haspopup="dialog"
          aria-expanded={openPanel === 'Columns'}
          onClick={() => open('Columns')}
        >
          <span className={toolbarStyles.listLabel}>Columns</span>
        </Button>
      )}
      <Button
        ref={displayButton}
        variant={isNarrow ? 'outlined' : 'text'}
        className={isNarrow ? toolbarStyles.listSquare : undefined}
        title="Display"
        aria-label={isNarrow ? 'Display' : undefined}
        startIcon={isNarrow ? undefined : <Icon name="sliders" />}
        aria-haspopup="dialog"
        aria-expanded={openPanel === 'Display'}
        onClick={() => open('Display')}
      >
        {isNarrow ? <Icon name="sliders" /> : <span className={toolbarStyles.listLabel}>Display</span>}
      </Button>
      <Popover
        open={openPanel !== null}
        anchorEl={() =>
          (shownPanel === 'Columns' ? columnsButton.current : null) ?? displayButton.current ?? buttons.current
        }
        onClose={() => setOpenPanel(null)}
        className={menuStyles.below}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': shownPanel, className: displayStyles.panel } }}
      >
        <LoadingFallback fallback={<div className={displayStyles.wait} />}>
          <DisplayPanel
            {...{ views, hasColumns }}
            atColumns={shownPanel === 'Columns'}
            onClose={() => setOpenPanel(null)}
          />
        </LoadingFallback>
      </Popover>
    </span>
  );
}
