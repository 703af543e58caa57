import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { keysOf } from '../../../engine/field-types/field-keys';
import { writtenTypeOf, type ValueKind } from '../../../engine/field-types/index';
import { isVariable } from '../../../engine/conditions/grammar';
import { useRoleOptions } from '../parts/audience';
import { actorRole } from './subjects';
import { ChosenValue, TypedValue } from './ValueInputs';
import type { ConditionValueProps } from './conditionValueProps';
import * as propertiesStyles from '../properties/properties.module.css';
import * as styles from './conditions.module.css';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import { variablesFor } from '../../../engine/studio/condition-operators';
import { usePopup } from '../../dialogs/usePopup';
import { Icon } from '../../icons/Icon';
import OutlinedInput from '@mui/material/OutlinedInput';

const recordKinds: ReadonlySet<ValueKind> = new Set(['record', 'records', 'referrers']);

/** The role of the user who is asked about: its value is the key of a role, chosen by name. */
function RoleValue(props: ConditionValueProps) {
  const options = useRoleOptions().map(({ value, label }) => ({ value: String(value), label }));
  return (
    <div className={styles.studioValue}>
      <ChosenValue {...props} field={{ ...props.field, options }} />
    </div>
  );
}

/** The value of a comparison: a choice of records or options, an input of the field's type, or a variable. */
export function ConditionValue(props: ConditionValueProps) {
  const { row, field, label, isMany, onChange } = props;
  const { holds: valueKind } = writtenTypeOf(field);
  if (row.left === actorRole) return <RoleValue {...props} />;
  if (valueKind === 'boolean')
    return (
      <Select
        size="small"
        className={styles.studioValue}
        displayEmpty
        value={typeof row.value === 'boolean' ? String(row.value) : ''}
        onChange={({ target }) => onChange(target.value === 'true')}
        inputProps={{ 'aria-label': label }}
      >
        <MenuItem value="" disabled>
          <span className={propertiesStyles.studioMuted}>Choose…</span>
        </MenuItem>
        <MenuItem value="true">Yes</MenuItem>
        <MenuItem value="false">No</MenuItem>
      </Select>
    );
  const isChoice = recordKinds.has(valueKind) || keysOf(field.type ?? 'text').includes('options');
  const isConstant = !isVariable(row.value) && ![row.value].flat().some(isVariable);
  const hasTypedInput = !isMany && (valueKind === 'day' || valueKind === 'number');
  return (
    <div className={styles.studioValue}>
      {isConstant && isChoice ? (
        <ChosenValue {...props} />
      ) : isConstant && hasTypedInput ? (
        <TypedValue {...props} />
      ) : (
        <TextValue {...props} />
      )}
      {(!isMany || props.variablesOfMany) && <VariableMenu {...props} />}
    </div>
  );
}

/** A menu of variables to compare with, such as today or the signed-in user, instead of a fixed value. */
function VariableMenu({ field, label, onChange, variables: givenVariables }: ConditionValueProps) {
  const menu = usePopup('menu');
  const variables = givenVariables ?? variablesFor(field.type ?? 'text', field.to);
  if (variables.length === 0) return null;
  return (
    <>
      <IconButton size="small" aria-label={`${label}: variable`} title="Use a variable" {...menu.button}>
        <Icon name="clock" size={14} />
      </IconButton>
      <Menu {...menu.popup}>
        {variables.map(({ value, words }) => (
          <MenuItem key={words} onClick={menu.and(() => onChange(value))}>
            {words}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

/** A value as text, or several separated by commas. */
function TextValue({ row, field, label, isMany, onChange }: ConditionValueProps) {
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
