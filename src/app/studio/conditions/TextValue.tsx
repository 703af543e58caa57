import { writtenTypeOf } from '../../../engine/field-types';
import OutlinedInput from '@mui/material/OutlinedInput';
import type { ConditionValueProps } from './conditionValueProps';

/** A value as text, or several separated by commas. */
export function TextValue({ row, field, label, isMany, onChange }: ConditionValueProps) {
  const { value } = row;
  const { holds: valueKind } = writtenTypeOf(field);
  const read = (text: string) => (valueKind === 'number' && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
  const valueText = isMany
    ? [value ?? []].flat().join(', ')
    : value === undefined || value === null
      ? ''
      : String(value);
  const change = (text: string) => {
    if (text.trim() === '') return onChange(undefined);
    onChange(isMany ? text.split(',').map((part) => read(part.trimStart())) : read(text));
  };
  return (
    <OutlinedInput
      size="small"
      fullWidth
      placeholder={isMany ? 'Values, separated by commas' : 'Value'}
      value={valueText}
      onChange={({ target }) => change(target.value)}
      slotProps={{ input: { 'aria-label': label } }}
    />
  );
}
