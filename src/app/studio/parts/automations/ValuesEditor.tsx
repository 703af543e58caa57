import FormHelperText from '@mui/material/FormHelperText';
import IconButton from '@mui/material/IconButton';
import { writtenTypeOf } from '../../../../engine/field-types';
import { Icon } from '../../../icons/Icon';
import type { VariableOption } from '../../conditions/conditionValueProps';
import { ConditionValue } from '../../conditions/ConditionValue';
import type { Subject } from '../../conditions/subjects';
import { AddMenu } from '../../properties/AddMenu';
import { Hint } from '../../properties/Hint';
import * as propertiesStyles from '../../properties/properties.module.css';
import * as styles from './automations.module.css';

type Values = Readonly<Record<string, unknown>>;

export interface ValuesEditorProps {
  label: string;
  add: string;
  emptyText: string;
  values: Values;
  /** The fields that can be given a value. */
  fields: readonly Subject[];
  variablesOf: (subject: Subject) => readonly VariableOption[];
  errorOf?: (name: string) => string | undefined;
  /** The meaning of null; default: that the field becomes empty. */
  nullText?: string;
  /** Whether any of several values can be given, as in a filter; one alone is stored without a list. */
  isMany?: (subject: Subject) => boolean;
  error?: string;
  hint?: string;
  onChange: (values: Values) => void;
}

/** Fields and the values that they are given: an input of each field's type, or a variable. */
export function ValuesEditor({
  label,
  add,
  emptyText,
  values,
  fields,
  error,
  hint,
  onChange,
  ...rowProps
}: ValuesEditorProps) {
  const free = fields.filter(({ name }) => !Object.hasOwn(values, name));
  const remove = (name: string) => {
    const { [name]: _gone, ...left } = values;
    onChange(left);
  };
  return (
    <div className={propertiesStyles.studioGroup} role="group" aria-label={label}>
      <div className={propertiesStyles.studioLabel}>
        <span>{label}</span>
        {hint && <Hint text={hint} />}
      </div>
      {Object.keys(values).length === 0 && <p className={propertiesStyles.studioHint}>{emptyText}</p>}
      {Object.entries(values).map(([name, value]) => (
        <Value
          key={name}
          subject={fields.find((field) => field.name === name) ?? { name, label: name, field: {} }}
          value={value}
          variablesOf={rowProps.variablesOf}
          error={rowProps.errorOf?.(name)}
          nullText={rowProps.nullText}
          isMany={rowProps.isMany}
          onChange={(next) => onChange({ ...values, [name]: next ?? null })}
          onRemove={() => remove(name)}
        />
      ))}
      {error && <FormHelperText error>{error}</FormHelperText>}
      <AddMenu
        label={add}
        options={free.map(({ name, label: words }) => ({ value: name, label: words }))}
        onAdd={(name) => onChange({ ...values, [name]: null })}
      />
    </div>
  );
}

interface ValueProps {
  subject: Subject;
  value: unknown;
  variablesOf: (subject: Subject) => readonly VariableOption[];
  error: string | undefined;
  nullText?: string;
  isMany?: (subject: Subject) => boolean;
  onChange: (value: unknown) => void;
  onRemove: () => void;
}

function Value({
  subject,
  value,
  variablesOf,
  error,
  nullText = 'becomes empty',
  isMany,
  onChange,
  onRemove,
}: ValueProps) {
  const { name, label, field } = subject;
  const isAny = isMany?.(subject) ?? false;
  const isPlain = value === null || typeof value !== 'object' || Array.isArray(value);
  return (
    <div className={styles.studioSetValue}>
      <div>
        <span>{label}</span>
        {value === null && <small>{nullText}</small>}
        <IconButton size="small" aria-label={`Remove the value of ${label}`} title="Remove" onClick={onRemove}>
          <Icon name="close" size={14} />
        </IconButton>
      </div>
      {isPlain ? (
        <ConditionValue
          row={{ kind: 'row', left: name, operator: '$eq', value: value ?? undefined }}
          isMany={isMany ? isAny || Array.isArray(value) : writtenTypeOf(field).holds === 'records'}
          variablesOfMany={isAny}
          field={field}
          label={`${label}: value`}
          variables={variablesOf(subject)}
          onChange={(next) => onChange(isMany && Array.isArray(next) && next.length < 2 ? (next[0] as unknown) : next)}
        />
      ) : (
        <pre className={propertiesStyles.studioCode}>{JSON.stringify(value)}</pre>
      )}
      {error && <FormHelperText error>{error}</FormHelperText>}
    </div>
  );
}
