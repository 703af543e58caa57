import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useMemo } from 'react';
import { writtenTypeOf } from '../../../engine/field-types';
import { variablesFor } from '../../../engine/studio/condition-operators';
import { itemAt } from '../../../engine/values/lookups';
import { useDefinitions } from '../../data/DefinitionsContext';
import { Icon } from '../../icons/Icon';
import { ConditionProperty } from '../conditions/ConditionProperty';
import { ConditionValue } from '../conditions/ConditionValue';
import { moduleSubjects } from '../conditions/subjects';
import { useDraftPart } from '../draft';
import { completeField } from '../fields/entries';
import { Hint } from './Hint';
import { JsonProperty } from './ReadProperty';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';

interface DefaultPropertyProps {
  pointer: string;
  label: string;
  /** The field. Default: the one at the place. */
  name?: string;
}

/** The value of new records, by the input of the field's type. A value without such an input is written as JSON. */
export function DefaultProperty({ pointer, label, name = itemAt(pointer.split('/'), 2) }: DefaultPropertyProps) {
  const { value, set, error, hint } = useDraftValue(pointer);
  const field = useDraftPart(({ source }) => completeField(source, name));
  const { holds: valueKind } = writtenTypeOf(field);
  if (valueKind === 'object' || valueKind === 'rows' || valueKind === 'referrers')
    return <JsonProperty {...{ pointer, label }} placeholder="None" />;
  if (typeof value === 'object' && value !== null && '$lookup' in value)
    return (
      <div role="group" aria-label={label}>
        <LookupCondition {...{ pointer, name }} />
        <Button size="small" onClick={() => set(undefined)}>
          Remove the default
        </Button>
      </div>
    );
  const isMany = valueKind === 'records' || field.multiple === true;
  return (
    <div role="group" aria-label={label}>
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
        {...{ isMany, field }}
        label={`${label} value`}
        variables={variablesFor(field.type ?? 'text', field.to)}
        onChange={(next) =>
          set(next === null || next === '' || (Array.isArray(next) && next.length === 0) ? undefined : next)
        }
      />
      {valueKind === 'record' && value === undefined && (
        <Button size="small" onClick={() => set({ $lookup: {} })}>
          Look it up
        </Button>
      )}
      {error && (
        <p className={styles.studioHint} data-bad>
          {error}
        </p>
      )}
    </div>
  );
}

/** The condition by which the default is looked up among the records of the target. */
function LookupCondition({ pointer, name }: { pointer: string; name: string }) {
  const { registry } = useDefinitions();
  const target = registry.get(useDraftPart(({ source }) => source.fields[name]?.to));
  const subjects = useMemo(() => target && moduleSubjects(target), [target]);
  return (
    <ConditionProperty
      pointer={`${pointer}/$lookup`}
      label="The record by default, where"
      keepEmpty
      {...(subjects && { subjects })}
    />
  );
}
