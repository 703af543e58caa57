import { writtenTypeOf } from '../../../../engine/field-types';
import OutlinedInput from '@mui/material/OutlinedInput';
import type { ConditionValueProps } from './conditionValueProps';

/** A value as text, or several separated by commas. */
export function TextValue({ row, field, label, many, onChange }: ConditionValueProps) {
  const { value } = row;
  const { holds } = writtenTypeOf(field);
  const read = (text: string) => (holds === 'number' && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
  const written = many ? [value ?? []].flat().join(', ') : value === undefined || value === null ? '' : String(value);
  const change = (text: string) => {
    if (text.trim() === '') return onChange(undefined);
    onChange(many ? text.split(',').map((one) => read(one.trimStart())) : read(text));
  };
  return (
    <OutlinedInput
      size="small"
      fullWidth
      placeholder={many ? 'Values, separated by commas' : 'Value'}
      value={written}
      onChange={({ target }) => change(target.value)}
      slotProps={{ input: { 'aria-label': label } }}
    />
  );
}
