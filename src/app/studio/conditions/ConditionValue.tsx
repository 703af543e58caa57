import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { keysOf } from '../../../engine/field-types/field-keys';
import { writtenTypeOf, type ValueKind } from '../../../engine/field-types';
import { isVariable } from '../../../engine/conditions/grammar';
import { useRoleOptions } from '../parts/audience';
import { actorRole } from './subjects';
import { ChosenValue, TypedValue } from './ValueInputs';
import { TextValue } from './TextValue';
import type { ConditionValueProps } from './conditionValueProps';
import { VariableMenu } from './VariableMenu';
import * as propertiesStyles from '../properties/properties.module.css';
import * as styles from './conditions.module.css';

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
