import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import type { Group } from '../../../src/engine/studio/condition-builder';

const words: Readonly<Record<Group['join'], string>> = {
  all: 'all of these hold',
  any: 'one of these holds',
  none: 'none of these holds',
};

interface JoinChoiceProps {
  label: string;
  join: Group['join'];
  onChange: (join: Group['join']) => void;
}

/** How several conditions are joined. */
export function JoinChoice({ label, join, onChange }: JoinChoiceProps) {
  return (
    <Select
      size="small"
      className="studio-join"
      value={join}
      onChange={({ target }) => onChange(target.value)}
      inputProps={{ 'aria-label': `${label}: how they are joined` }}
    >
      {Object.entries(words).map(([value, text]) => (
        <MenuItem key={value} value={value}>
          {text}
        </MenuItem>
      ))}
    </Select>
  );
}
