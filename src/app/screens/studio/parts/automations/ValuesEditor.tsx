import FormHelperText from '@mui/material/FormHelperText';
import IconButton from '@mui/material/IconButton';
import { writtenTypeOf } from '../../../../../engine/field-types';
import { Icon } from '../../../../icons/Icon';
import type { VariableOption } from '../../conditions/conditionValueProps';
import { ConditionValue } from '../../conditions/ConditionValue';
import type { Subject } from '../../conditions/subjects';
import { AddMenu } from '../../properties/AddMenu';
import * as propertiesStyles from '../../properties/properties.module.css';
import * as styles from './automations.module.css';

type Values = Readonly<Record<string, unknown>>;

interface ValuesEditorProps {
  label: string;
  add: string;
  none: string;
  values: Values;
  /** The fields that can be given a value. */
  fields: readonly Subject[];
  variablesOf: (subject: Subject) => readonly VariableOption[];
  errorOf?: (name: string) => string | undefined;
  onChange: (values: Values) => void;
}

/** Fields and the values that they are given: an input of each field's type, or a variable. */
export function ValuesEditor({ label, add, none, values, fields, onChange, ...each }: ValuesEditorProps) {
  const free = fields.filter(({ name }) => !Object.hasOwn(values, name));
  const remove = (name: string) => {
    const { [name]: _gone, ...left } = values;
    onChange(left);
  };
  return (
    <div className={propertiesStyles.studioGroup} role="group" aria-label={label}>
      <span className={propertiesStyles.studioLabel}>{label}</span>
      {Object.keys(values).length === 0 && <p className={propertiesStyles.studioHint}>{none}</p>}
      {Object.entries(values).map(([name, value]) => (
        <Value
          key={name}
          subject={fields.find((field) => field.name === name) ?? { name, label: name, field: {} }}
          value={value}
          variablesOf={each.variablesOf}
          error={each.errorOf?.(name)}
          onChange={(next) => onChange({ ...values, [name]: next ?? null })}
          onRemove={() => remove(name)}
        />
      ))}
      <AddMenu
        label={add}
        ways={free.map(({ name, label: words }) => ({ value: name, label: words }))}
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
  onChange: (value: unknown) => void;
  onRemove: () => void;
}

function Value({ subject, value, variablesOf, error, onChange, onRemove }: ValueProps) {
  const { name, label, field } = subject;
  const isPlain = value === null || typeof value !== 'object' || Array.isArray(value);
  return (
    <div className={styles.studioSetValue}>
      <div>
        <span>{label}</span>
        {value === null && <small>becomes empty</small>}
        <IconButton size="small" aria-label={`Remove the value of ${label}`} title="Remove" onClick={onRemove}>
          <Icon name="close" size={14} />
        </IconButton>
      </div>
      {isPlain ? (
        <ConditionValue
          row={{ kind: 'row', left: name, operator: '$eq', value: value ?? undefined }}
          many={writtenTypeOf(field).holds === 'records'}
          field={field}
          label={`${label}: value`}
          variables={variablesOf(subject)}
          onChange={onChange}
        />
      ) : (
        <pre className={propertiesStyles.studioCode}>{JSON.stringify(value)}</pre>
      )}
      {error && <FormHelperText error>{error}</FormHelperText>}
    </div>
  );
}
