import { Level } from '../../../engine/definitions/level';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { actions } from '../../../engine/definitions/definition';
import { useDraftValue } from '../properties/useDraftValue';
import { levelOptions } from './audience';
import * as styles from '../properties/sorted.module.css';

const grantOptions = [
  { value: 'all', label: 'Everything' },
  { value: 'read', label: 'List and view' },
  { value: 'none', label: 'Nothing' },
];

/** The default grants of a new module by level. */
export function GrantsProperty() {
  return (
    <div className={styles.studioGrants}>
      {levelOptions.slice(1).map(({ value, label }) => (
        <Grant key={label} level={String(value)} label={label} />
      ))}
    </div>
  );
}

function Grant({ level, label }: { level: string; label: string }) {
  const { value, set, error } = useDraftValue(`/grants/${level}`);
  const grantedActions = Array.isArray(value) ? value.map(String) : null;
  const defaultGrant = Number(level) <= Level.Manager ? 'all' : 'none';
  return (
    <label>
      <span>
        {label}
        {error && <small role="alert">{error}</small>}
      </span>
      <Select
        size="small"
        multiple={grantedActions !== null}
        value={grantedActions ?? (typeof value === 'string' ? value : defaultGrant)}
        onChange={({ target }) => {
          const next = target.value as string | string[];
          if (Array.isArray(next)) set(next.length === 0 ? 'none' : next);
          else set(next === 'some' ? ['list', 'view'] : next === defaultGrant ? undefined : next);
        }}
        renderValue={(selection) =>
          Array.isArray(selection)
            ? selection.join(', ')
            : (grantOptions.find((option) => option.value === selection)?.label ?? selection)
        }
        inputProps={{ 'aria-label': label }}
      >
        {grantedActions
          ? actions.map((action) => (
              <MenuItem key={action} value={action}>
                {action}
              </MenuItem>
            ))
          : [...grantOptions, { value: 'some', label: 'Some actions…' }].map((option) => (
              <MenuItem key={option.value} value={option.value}>
                {option.label}
              </MenuItem>
            ))}
      </Select>
    </label>
  );
}
