import type { FieldSource } from '../../../../engine/definitions/source';
import { writtenTypeOf } from '../../../../engine/field-types';
import { isExpressionObject } from '../../../../engine/expressions/computed-kind';
import { ConditionProperty } from '../conditions/ConditionProperty';
import { JsonProperty } from './JsonProperty';
import { SwitchRow } from './SwitchProperty';
import { TextProperty } from './TextProperty';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';

/** Nothing, of any type: an expression to begin with. */
const emptyExpression = { $coalesce: [null] };

/** What a field is computed from: a template for text, a condition for booleans, else an expression as JSON. */
export function ComputedProperty({ at, field }: { at: string; field: FieldSource }) {
  const { value, set, hint } = useDraftValue(at);
  const { computedFrom } = writtenTypeOf(field);
  const first = computedFrom === 'condition' ? {} : computedFrom === 'template' ? '{id}' : emptyExpression;
  const isExpression = typeof value === 'object' && value !== null && isExpressionObject(value);
  return (
    <div data-wide className={styles.studioGroup}>
      <SwitchRow label="Computed" on={value !== undefined} hint={hint} onChange={(on) => set(on ? first : undefined)} />
      {typeof value === 'string' && <TextProperty at={at} label="Template" />}
      {isExpression && <JsonProperty at={at} label="Expression" wide />}
      {typeof value === 'object' && !isExpression && <ConditionProperty at={at} label="True when" keepEmpty />}
    </div>
  );
}
