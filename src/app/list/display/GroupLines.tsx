import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { useMemo } from 'react';
import type { TotalFunction } from '../../../engine/definitions/definition';
import { groupChoices, totalLabels, totalledFields, totalsOf } from '../../../engine/lists/group-rows';
import { groupingOf } from '../../../engine/lists/grouping';
import { totalFunctions } from '../../../engine/lists/totals';
import type { ListState } from '../../../engine/lists/list-state';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useGroups } from '../groups/useGroups';
import { useResourceList } from '../ResourceList';
import * as styles from './display.module.css';

/** More of them would make an address that no program passes on. */
const maxClosed = 200;

/** The grouping of a list, and the totals of its columns. */
export function GroupLines() {
  const { definition, state, change } = useResourceList();
  const { actor } = useDefinitions();
  const grouping = groupingOf(state, definition, actor);
  const totals = useMemo(
    () => totalsOf({ totals: state.totals }, definition, actor),
    [actor, definition, state.totals],
  );
  const choices = useMemo(() => groupChoices(definition, actor), [actor, definition]);
  const currentChoice = choices.find(({ field }) => field === grouping?.field);
  const fields = totalledFields(definition, actor);
  const group = (name: string | null) => change((current) => ({ ...withoutClosed(current), group: name, page: 1 }));
  const total = (field: string, take: TotalFunction | '') =>
    change((current) => {
      const { [field]: _, ...otherTotals } = totalsOf(current, definition, actor);
      return { ...current, totals: take === '' ? otherTotals : { ...otherTotals, [field]: take } };
    });
  return (
    <>
      <label className={styles.line}>
        <span>Group by</span>
        <Select
          size="small"
          displayEmpty
          value={currentChoice?.field ?? ''}
          inputProps={{ 'aria-label': 'Group by' }}
          onChange={({ target }) => {
            const next = choices.find(({ field }) => field === target.value);
            group(next ? (next.units ? `${next.field}:month` : next.field) : null);
          }}
        >
          <MenuItem value="">Nothing</MenuItem>
          {choices.map(({ field, label }) => (
            <MenuItem key={field} value={field}>
              {label}
            </MenuItem>
          ))}
        </Select>
      </label>
      {currentChoice?.units && grouping && (
        <label className={styles.line}>
          <span>Period</span>
          <Select
            size="small"
            value={grouping.unit ?? ''}
            inputProps={{ 'aria-label': 'Period' }}
            onChange={({ target }) => group(`${currentChoice.field}:${target.value}`)}
          >
            {currentChoice.units.map(({ unit, label }) => (
              <MenuItem key={unit} value={unit}>
                {label}
              </MenuItem>
            ))}
          </Select>
        </label>
      )}
      {grouping && <CloseAll />}
      {fields.map((field) => (
        <label key={field.name} className={styles.line}>
          <span>Total of {field.label}</span>
          <Select
            size="small"
            displayEmpty
            value={totals[field.name] ?? ''}
            inputProps={{ 'aria-label': `Total of ${field.label}` }}
            onChange={({ target }) => total(field.name, target.value as TotalFunction | '')}
          >
            <MenuItem value="">None</MenuItem>
            {totalFunctions.map((take) => (
              <MenuItem key={take} value={take}>
                {totalLabels[take]}
              </MenuItem>
            ))}
          </Select>
        </label>
      ))}
    </>
  );
}

const noTotals = {};

/** Opens or closes all groups. */
function CloseAll() {
  const { definition, state, change } = useResourceList();
  const { actor } = useDefinitions();
  const { group } = state;
  const grouping = useMemo(() => groupingOf({ group }, definition, actor), [actor, definition, group]);
  const { countedGroups } = useGroups(grouping, noTotals);
  const keys = countedGroups?.groups.map(({ key }) => key) ?? [];
  if (state.closed)
    return (
      <Button variant="outlined" onClick={() => change(withoutClosed, { replace: true })}>
        Open all
      </Button>
    );
  return (
    <Button
      variant="outlined"
      disabled={keys.length === 0 || keys.length > maxClosed}
      onClick={() => change((current) => ({ ...current, closed: keys, page: 1 }), { replace: true })}
    >
      Close all
    </Button>
  );
}

function withoutClosed({ closed: _, ...state }: ListState): ListState {
  return state;
}
