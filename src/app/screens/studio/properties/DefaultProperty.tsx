import IconButton from '@mui/material/IconButton';
import { writtenTypeOf } from '../../../../engine/field-types';
import { variablesFor } from '../../../../engine/studio/condition-operators';
import { Icon } from '../../../icons/Icon';
import { ConditionValue } from '../conditions/ConditionValue';
import { useDraftPart } from '../draft';
import { completeField } from '../fields/entries';
import { Hint } from './Hint';
import { JsonProperty } from './JsonProperty';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';

/** The value of new records, by the input of the field's type. What has no such input is written as JSON. */
export function DefaultProperty({ at, label, name }: { at: string; label: string; name: string }) {
  const { value, set, error, hint } = useDraftValue(at);
  const field = useDraftPart(({ source }) => completeField(source, name));
  const { holds } = writtenTypeOf(field);
  if (holds === 'object' || holds === 'rows' || holds === 'referrers')
    return <JsonProperty {...{ at, label }} usual="None" />;
  const many = holds === 'records' || field.many === true;
  return (
    <div data-wide role="group" aria-label={label}>
      <div className={styles.studioLabel}>
        <span>{label}</span>
        {hint && <Hint text={hint} />}
        {value !== undefined && (
          <IconButton size="small" aria-label="Remove the default" title="Remove" onClick={() => set(undefined)}>
            <Icon name="close" size={14} />
          </IconButton>
        )}
      </div>
      <ConditionValue
        row={{ kind: 'row', left: name, operator: '$eq', value }}
        {...{ many, field }}
        label={`${label} value`}
        variables={variablesFor(field.type ?? 'text', field.to)}
        onChange={(next) =>
          set(next === null || next === '' || (Array.isArray(next) && next.length === 0) ? undefined : next)
        }
      />
      {error && (
        <p className={styles.studioHint} data-bad>
          {error}
        </p>
      )}
    </div>
  );
}
