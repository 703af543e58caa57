import type { FieldSource } from '../../../../engine/definitions/source';
import { writtenTypeOf } from '../../../../engine/field-types';
import { ConditionProperty } from '../conditions/ConditionProperty';
import { SwitchRow } from './SwitchProperty';
import { TextProperty } from './TextProperty';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';

/** What a field is computed from: a template for text, a condition for booleans. */
export function ComputedProperty({ at, field }: { at: string; field: FieldSource }) {
  const { value, set, hint } = useDraftValue(at);
  const first = writtenTypeOf(field).computedFrom === 'condition' ? {} : '{id}';
  return (
    <div data-wide className={styles.studioGroup}>
      <SwitchRow label="Computed" on={value !== undefined} hint={hint} onChange={(on) => set(on ? first : undefined)} />
      {typeof value === 'string' && <TextProperty at={at} label="Template" />}
      {typeof value === 'object' && <ConditionProperty at={at} label="True when" keepEmpty />}
    </div>
  );
}
