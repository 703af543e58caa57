import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import type { FieldTypeName } from '../../../../engine/definitions/definition';
import { typeNamesWhere } from '../../../../engine/field-types';
import { systemFields } from '../../../../engine/definitions/system-fields';
import { useDraftPart } from '../draft';
import { typeLabel } from '../fields/TypeLabel';
import { changeType } from '../../../../engine/studio/fields';
import { LabelledInput } from './LabelledInput';
import { useDraftValue } from './useDraftValue';

/** The type of a field. The type of system fields is fixed. */
export function TypeSelect({ name }: { name: string }) {
  const { system, edit } = useDraftPart(({ source, edit: change }) => ({
    system: systemFields(source)[name]?.type,
    edit: change,
  }));
  const { value, error } = useDraftValue(`/fields/${name}/type`);
  const names = typeNamesWhere(() => true);
  const type = system ?? value ?? 'text';
  return (
    <LabelledInput label="Type" error={error}>
      {({ id, describedBy }) => (
        <Select
          size="small"
          fullWidth
          disabled={system !== undefined}
          error={error !== undefined}
          value={names.find((one) => one === type) ?? ''}
          onChange={({ target }) => edit((now) => changeType(now, name, target.value as FieldTypeName).source)}
          inputProps={{ id, 'aria-label': 'Type', 'aria-describedby': describedBy }}
          MenuProps={{ slotProps: { paper: { sx: { maxHeight: 360 } } } }}
        >
          {names.map((one) => (
            <MenuItem key={one} value={one}>
              {typeLabel(one)}
            </MenuItem>
          ))}
        </Select>
      )}
    </LabelledInput>
  );
}
