import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import type { ReactNode } from 'react';
import type { Definition } from '../../engine/definitions/definition';
import type { SortOrder } from '../../engine/lists/list-state';
import { usePopup } from '../dialogs/usePopup';
import { Icon } from '../icons/Icon';
import type { ChangeList } from './useListState';
import * as styles from './list.module.css';

interface SortButtonProps {
  definition: Definition;
  sort: SortOrder;
  change: ChangeList;
}

/** Sorts by one of the definition's choices; the current choice again reverses the order. */
export function SortButton({ definition, sort, change }: SortButtonProps) {
  const menu = usePopup('menu');
  const isChoice = definition.list.sortChoices.includes(sort.field);
  return (
    <>
      <Button variant="outlined" title="Sort" startIcon={<Icon name="sort" />} {...menu.button}>
        <span className={styles.listLabel}>{isChoice ? `Sort: ${fieldLabel(definition, sort.field)}` : 'Sort'}</span>
        {isChoice && <span className="unseen">{sort.order === 'ASC' ? ', ascending' : ', descending'}</span>}
      </Button>
      <Menu {...menu.popup} className={styles.below}>
        {sortEntries({
          definition,
          fields: definition.list.sortChoices,
          sort,
          change,
          onChosen: menu.close,
        })}
      </Menu>
    </>
  );
}

interface SortEntriesProps extends SortButtonProps {
  fields: readonly string[];
  onChosen: () => void;
}

/** Menu entries to sort by the fields; the current one reverses the order. */
export function sortEntries({ definition, fields, sort, change, onChosen }: SortEntriesProps): ReactNode {
  const ascending = sort.order === 'ASC';
  return fields.map((field) => {
    const on = field === sort.field;
    const choose = () => {
      onChosen();
      change((old) => ({ ...old, sort: { field, order: on && ascending ? 'DESC' : 'ASC' }, page: 1 }));
    };
    return (
      <MenuItem key={field} role="menuitemradio" aria-checked={on} selected={on} onClick={choose}>
        <span className={styles.listGrow}>{fieldLabel(definition, field)}</span>
        {on && <Icon name={ascending ? 'arrow-up' : 'arrow-down'} label={ascending ? 'ascending' : 'descending'} />}
      </MenuItem>
    );
  });
}

function fieldLabel({ fields }: Definition, field: string): string {
  return fields[field]?.label ?? field;
}
