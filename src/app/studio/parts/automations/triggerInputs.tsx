import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import { writtenTypeOf } from '../../../../engine/field-types';
import { readLength } from '../../../../engine/studio/automation-edits';
import { useDraftPart } from '../../draft';
import { ChoiceProperty } from '../../properties/ChoiceProperty';
import { LabelledInput } from '../../properties/LabelledInput';
import { useDraftValue, type SpecialInputProps } from '../../properties/useDraftValue';
import { TextProperty } from '../../properties/TextProperty';
import { allFields } from '../../properties/fieldOptions';
import { useStateOptions } from '../../properties/useStateOptions';
import * as styles from '../../properties/properties.module.css';

/** The value that a field becomes: one of its states, else any. */
export function StateInput({ pointer, label }: SpecialInputProps) {
  const { set } = useDraftValue(pointer);
  const { value: name } = useDraftValue(pointer.replace(/[^/]+$/, 'field'));
  const field = useDraftPart(({ source }) => allFields(source)[String(name)]);
  const { options } = useStateOptions(String(name));
  if (field?.options !== undefined || field?.transitions !== undefined)
    return <ChoiceProperty {...{ pointer, label }} options={options} />;
  const isNumber = field !== undefined && ['number', 'record'].includes(writtenTypeOf(field).holds);
  const read = (text: string) => (isNumber && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
  return <TextProperty {...{ pointer, label }} onChange={(text = '') => set(read(text))} />;
}

const units = { min: 'minutes', h: 'hours', d: 'days', w: 'weeks' };
const directions = { '': 'At its time', '-': 'Before', '+': 'After' };

interface LengthProps extends SpecialInputProps {
  unitLabel: string;
  /** Whether it is before or after something, or none. */
  isOffset?: boolean;
}

/** A length of time such as `7d`, as a number and a unit; an offset such as `-1h` has a direction before them. */
export function LengthInput({ pointer, label, unitLabel, isOffset = false }: LengthProps) {
  const { value, set, error, hint } = useDraftValue(pointer);
  const { sign, count, unit } = readLength(value);
  const hasLength = !isOffset || value !== undefined;
  const put = (next: { sign?: string; count?: number; unit?: string }) => {
    const length = { sign: isOffset ? sign || '-' : '', count: count ?? 1, unit, ...next };
    set(length.sign + length.count + length.unit);
  };
  return (
    <LabelledInput {...{ label, error, hint }}>
      {({ id, describedBy }) => (
        <div className={styles.studioRow}>
          {isOffset && (
            <Select
              size="small"
              displayEmpty
              value={hasLength ? sign || '-' : ''}
              onChange={({ target }) => (target.value === '' ? set(undefined) : put({ sign: target.value }))}
              inputProps={{ id: hasLength ? undefined : id, 'aria-label': 'Before or after' }}
            >
              {menuItems(directions)}
            </Select>
          )}
          {hasLength && (
            <>
              <OutlinedInput
                id={id}
                size="small"
                type="number"
                className={styles.studioNumber}
                autoComplete="off"
                error={error !== undefined}
                value={count ?? ''}
                onChange={({ target }) => put({ count: Math.trunc(Number(target.value)) })}
                slotProps={{ input: { 'aria-describedby': describedBy, min: 1, max: 9999 } }}
              />
              <Select
                size="small"
                value={unit}
                onChange={({ target }) => put({ unit: target.value })}
                inputProps={{ 'aria-label': unitLabel }}
              >
                {menuItems(units)}
              </Select>
            </>
          )}
        </div>
      )}
    </LabelledInput>
  );
}

const menuItems = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => (
    <MenuItem key={value} value={value}>
      {label}
    </MenuItem>
  ));
