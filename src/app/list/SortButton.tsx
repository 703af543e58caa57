import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import type { Definition } from '../../engine/definitions/definition';
import type { Sort } from '../../engine/lists/list-state';
import { Icon } from '../icons/Icon';
import type { ChangeList } from './useListState';

interface SortButtonProps {
  definition: Definition;
  sort: Sort;
  change: ChangeList;
}

/** Orders by one of the definition's choices; the same choice again turns the order round. */
export function SortButton({ definition, sort, change }: SortButtonProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const labelOf = (field: string) => definition.fields[field]?.label ?? field;
  const isChoice = definition.list.sortChoices.includes(sort.field);
  const choose = (field: string) => {
    setAnchor(null);
    const turned = field === sort.field && sort.order === 'ASC';
    change((old) => ({ ...old, sort: { field, order: turned ? 'DESC' : 'ASC' }, page: 1 }));
  };
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<Icon name="sort" />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {isChoice ? `Sort: ${labelOf(sort.field)}` : 'Sort'}
        {isChoice && <span className="unseen">{sort.order === 'ASC' ? ', ascending' : ', descending'}</span>}
      </Button>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)} className="below">
        {definition.list.sortChoices.map((field) => {
          const on = field === sort.field;
          const ascending = sort.order === 'ASC';
          return (
            <MenuItem key={field} role="menuitemradio" aria-checked={on} selected={on} onClick={() => choose(field)}>
              <span className="list-grow">{labelOf(field)}</span>
              {on && (
                <Icon name={ascending ? 'arrow-up' : 'arrow-down'} label={ascending ? 'ascending' : 'descending'} />
              )}
            </MenuItem>
          );
        })}
      </Menu>
    </>
  );
}
