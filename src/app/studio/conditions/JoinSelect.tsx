import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import type { GroupPart } from '../../../engine/studio/condition-builder';
import * as styles from './conditions.module.css';

const joinLabels: Readonly<Record<GroupPart['join'], string>> = {
  all: 'all of these are true',
  any: 'at least one of these is true',
  none: 'none of these is true',
};

interface JoinSelectProps {
  label: string;
  join: GroupPart['join'];
  onChange: (join: GroupPart['join']) => void;
}

/** How several conditions are combined. */
export function JoinSelect({ label, join, onChange }: JoinSelectProps) {
  return (
    <Select
      size="small"
      className={styles.studioJoin}
      value={join}
      onChange={({ target }) => onChange(target.value)}
      inputProps={{ 'aria-label': `${label}: how conditions are combined` }}
    >
      {Object.entries(joinLabels).map(([value, text]) => (
        <MenuItem key={value} value={value}>
          {text}
        </MenuItem>
      ))}
    </Select>
  );
}
