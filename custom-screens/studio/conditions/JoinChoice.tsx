import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import type { Group } from '../../../src/engine/studio/condition-builder';

const words: Readonly<Record<Group['join'], string>> = {
  all: 'all of these are true',
  any: 'at least one of these is true',
  none: 'none of these is true',
};

interface JoinChoiceProps {
  label: string;
  join: Group['join'];
  onChange: (join: Group['join']) => void;
}

/** How several conditions are combined. */
export function JoinChoice({ label, join, onChange }: JoinChoiceProps) {
  return (
    <Select
      size="small"
      className="studio-join"
      value={join}
      onChange={({ target }) => onChange(target.value)}
      inputProps={{ 'aria-label': `${label}: how conditions are combined` }}
    >
      {Object.entries(words).map(([value, text]) => (
        <MenuItem key={value} value={value}>
          {text}
        </MenuItem>
      ))}
    </Select>
  );
}
