import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import type { ReactNode } from 'react';
import type { Definition } from '../../engine/definitions/definition';
import { usePopup } from '../dialogs/usePopup';
import { Icon } from '../icons/Icon';
import { useResourceList, type ResourceList } from './ResourceList';
import * as menuStyles from './menus.module.css';
import * as toolbarStyles from './toolbar.module.css';

/** Sorts by one of the definition's choices; the current choice again reverses the order. */
export function SortButton() {
  const list = useResourceList();
  const { definition, sort } = list;
  const menu = usePopup('menu');
  const isChoice = definition.list.sortChoices.includes(sort.field);
  return (
    <>
      <Button variant="outlined" title="Sort" startIcon={<Icon name="sort" />} {...menu.button}>
        <span className={toolbarStyles.listLabel}>
          {isChoice ? `Sort: ${fieldLabel(definition, sort.field)}` : 'Sort'}
        </span>
        {isChoice && <span className="unseen">{sort.order === 'ASC' ? ', ascending' : ', descending'}</span>}
      </Button>
      <Menu {...menu.popup} className={menuStyles.below}>
        {sortEntries({ list, fields: definition.list.sortChoices, onChosen: menu.close })}
      </Menu>
    </>
  );
}

interface SortEntriesProps {
  list: ResourceList;
  fields: readonly string[];
  onChosen: () => void;
}

/** Menu entries to sort by the fields; the current one reverses the order. */
export function sortEntries({ list: { definition, sort, setSort }, fields, onChosen }: SortEntriesProps): ReactNode {
  const ascending = sort.order === 'ASC';
  return fields.map((field) => {
    const isCurrent = field === sort.field;
    const choose = () => {
      onChosen();
      setSort({ field, order: isCurrent && ascending ? 'DESC' : 'ASC' });
    };
    return (
      <MenuItem key={field} role="menuitemradio" aria-checked={isCurrent} selected={isCurrent} onClick={choose}>
        <span className={toolbarStyles.listGrow}>{fieldLabel(definition, field)}</span>
        {isCurrent && (
          <Icon name={ascending ? 'arrow-up' : 'arrow-down'} label={ascending ? 'ascending' : 'descending'} />
        )}
      </MenuItem>
    );
  });
}

function fieldLabel({ fields }: Definition, field: string): string {
  return fields[field]?.label ?? field;
}
