import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { sortFields } from '../../../engine/lists/columns';
import { isSavedView, pageSizeOf, pageSizes } from '../../../engine/lists/list-state';
import { useDefinitions } from '../../data/DefinitionsContext';
import { Icon } from '../../icons/Icon';
import { DensityChoice } from '../../preferences/DensityChoice';
import { useResourceList } from '../ResourceList';
import { isSorted, isUnpaged, showsGroups, type ViewChoice } from '../views';
import { ColumnList } from './ColumnList';
import { GroupLines } from './GroupLines';
import * as styles from './display.module.css';

interface DisplayPanelProps {
  views: readonly ViewChoice[];
  hasColumns: boolean;
  /** It opens with the search for a column. */
  atColumns: boolean;
  onClose: () => void;
}

/** How the list is shown. Each choice applies at once. */
export function DisplayPanel({ views, hasColumns, atColumns, onClose }: DisplayPanelProps) {
  const { state, change, view, chooseView, onSaveView } = useResourceList();
  return (
    <>
      <div className={styles.lines}>
        {views.length > 0 && (
          <div className={styles.views} role="group" aria-label="View">
            {views.map((choice) => (
              <button
                key={choice.view}
                type="button"
                aria-pressed={view === choice.view}
                onClick={() => {
                  onClose();
                  chooseView?.(choice.view);
                }}
              >
                <Icon name={choice.icon} />
                {choice.label}
              </button>
            ))}
          </div>
        )}
        <DensityChoice />
        {showsGroups(view) && <GroupLines />}
        {isSorted(view) && <SortLine />}
        {!isUnpaged(view) && (
          <label className={styles.line}>
            <span>Rows a page</span>
            <Select
              size="small"
              value={pageSizeOf(state)}
              inputProps={{ 'aria-label': 'Rows a page' }}
              onChange={({ target }) => change((current) => ({ ...current, rows: Number(target.value), page: 1 }))}
            >
              {pageSizes.map((size) => (
                <MenuItem key={size} value={size}>
                  {size}
                </MenuItem>
              ))}
            </Select>
          </label>
        )}
      </div>
      {hasColumns && <ColumnList focused={atColumns} onClose={onClose} />}
      {onSaveView && !isSavedView(state) && (
        <div className={styles.foot}>
          <span>Only for you, until saved</span>
          <Button
            variant="outlined"
            startIcon={<Icon name="save" />}
            onClick={() => {
              onClose();
              onSaveView();
            }}
          >
            Save as view
          </Button>
        </div>
      )}
    </>
  );
}

/** The order of the list, and a button that turns it round. */
function SortLine() {
  const { definition, sort, setSort } = useResourceList();
  const { actor } = useDefinitions();
  const labelOf = (field: string) =>
    definition.list.columns.find((column) => column.field === field)?.label ?? definition.fields[field]?.label ?? field;
  const choices = sortFields(definition, actor);
  if (choices.length === 0) return null;
  const isAscending = sort.order === 'ASC';
  // A column that was clicked is an order too.
  const fields = choices.includes(sort.field) ? choices : [sort.field, ...choices];
  return (
    <div className={styles.line}>
      <span>Sort by</span>
      <span className={styles.sort}>
        <Select
          size="small"
          value={sort.field}
          inputProps={{ 'aria-label': 'Sort by' }}
          onChange={({ target }) => setSort({ field: target.value, order: 'ASC' })}
        >
          {fields.map((field) => (
            <MenuItem key={field} value={field}>
              {labelOf(field)}
            </MenuItem>
          ))}
        </Select>
        <IconButton
          size="small"
          aria-label={isAscending ? 'Ascending: sort descending' : 'Descending: sort ascending'}
          title={isAscending ? 'Ascending' : 'Descending'}
          onClick={() => setSort({ field: sort.field, order: isAscending ? 'DESC' : 'ASC' })}
        >
          <Icon name={isAscending ? 'arrow-up' : 'arrow-down'} />
        </IconButton>
      </span>
    </div>
  );
}
