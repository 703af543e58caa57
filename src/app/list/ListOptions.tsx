import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import ListSubheader from '@mui/material/ListSubheader';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useRef, useState } from 'react';
import { sortFields } from '../../engine/lists/columns';
import { isSavedView } from '../../engine/lists/list-state';
import { useDefinitions } from '../data/DefinitionsContext';
import { useCommands } from '../commands/commands';
import { usePopup } from '../dialogs/usePopup';
import { Icon } from '../icons/Icon';
import { ColumnsPopover } from './ColumnsPopover';
import { useResourceList } from './ResourceList';
import { sortEntries } from './SortButton';
import { isSorted, showsGroups, type ViewChoice } from './views';
import * as menuStyles from './menus.module.css';
import * as toolbarStyles from './toolbar.module.css';

interface ListOptionsProps {
  /** The available views; empty if there is only one. */
  views: readonly ViewChoice[];
}

/** Where there is little place, as on phones: view, order and columns of a list behind one button. */
export function ListOptions({ views }: ListOptionsProps) {
  const list = useResourceList();
  const { definition, state, view, chooseView, onSaveView } = list;
  const { actor } = useDefinitions();
  const menu = usePopup('menu');
  const [columnsAt, setColumnsAt] = useState<HTMLElement | null>(null);
  const sorts = isSorted(view) ? sortFields(definition, actor) : [];
  const [isGroup, setGroup] = useState(false);
  const open = (group: boolean) => {
    setGroup(group);
    setColumnsAt(menu.anchor);
    menu.close();
  };
  const hasColumns = view === 'list' && definition.list.chooseColumns;
  const button = useRef<HTMLButtonElement>(null);
  const chooseColumns = () => {
    setGroup(false);
    setColumnsAt(button.current);
  };
  useCommands(
    () => [
      { id: 'columns', label: 'Choose columns', icon: 'columns', keys: 'c', opensInput: true, run: chooseColumns },
    ],
    hasColumns,
  );
  if (views.length === 0 && sorts.length === 0 && !hasColumns) return null;
  return (
    <>
      <Button
        ref={button}
        variant="outlined"
        className={toolbarStyles.listSquare}
        aria-label="View and order"
        {...menu.button}
      >
        <Icon name="sliders" />
      </Button>
      <Menu {...menu.popup} className={menuStyles.below}>
        {views.length > 0 && (
          <ListSubheader role="presentation" disableGutters sx={{ px: '12px', background: 'none' }}>
            View
          </ListSubheader>
        )}
        {views.map((choice) => (
          <MenuItem
            key={choice.view}
            role="menuitemradio"
            aria-checked={choice.view === view}
            selected={choice.view === view}
            onClick={menu.and(() => chooseView?.(choice.view))}
          >
            <Icon name={choice.icon} />
            {choice.label}
          </MenuItem>
        ))}
        {views.length > 0 && sorts.length > 0 && <Divider component="li" aria-hidden="true" />}
        {sorts.length > 0 && (
          <ListSubheader role="presentation" disableGutters sx={{ px: '12px', background: 'none' }}>
            Sort by
          </ListSubheader>
        )}
        {sortEntries({ list, fields: sorts, onChosen: menu.close })}
        <Divider component="li" aria-hidden="true" />
        {hasColumns && (
          <MenuItem onClick={() => open(false)}>
            <Icon name="columns" />
            Columns…
          </MenuItem>
        )}
        {showsGroups(view) && (
          <MenuItem onClick={() => open(true)}>
            <Icon name="layers" />
            Group…
          </MenuItem>
        )}
        {onSaveView && !isSavedView(state) && (
          <MenuItem onClick={menu.and(onSaveView)}>
            <Icon name="save" />
            Save view…
          </MenuItem>
        )}
      </Menu>
      <ColumnsPopover key={String(isGroup)} grouping={isGroup} anchor={columnsAt} onClose={() => setColumnsAt(null)} />
    </>
  );
}
