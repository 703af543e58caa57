import { writtenTypeOf } from '../../../../engine/field-types';
import { isExpressionObject } from '../../../../engine/expressions/computed-kind';
import { useDraftPart } from '../draft';
import { completeField } from '../fields/entries';
import { ConditionProperty } from '../conditions/ConditionProperty';
import { ExpressionProperty } from '../expressions/ExpressionProperty';
import { SwitchRow } from './SwitchProperty';
import { TextProperty } from './TextProperty';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';

/** Nothing, of any type: an expression to begin with. */
export const emptyExpression = { $coalesce: [null] };

/** What a field is computed from: a template for text, a condition for booleans, else an expression as JSON. */
export function ComputedProperty({ at }: { at: string }) {
  const name = at.split('/')[2]!;
  const { value, set, hint } = useDraftValue(at);
  const computedFrom = useDraftPart(({ source }) => writtenTypeOf(completeField(source, name)).computedFrom);
  const first = computedFrom === 'condition' ? {} : computedFrom === 'template' ? '{id}' : emptyExpression;
  const isExpression = typeof value === 'object' && value !== null && isExpressionObject(value);
  return (
    <div className={styles.studioGroup}>
      <SwitchRow label="Computed" on={value !== undefined} hint={hint} onChange={(on) => set(on ? first : undefined)} />
      {typeof value === 'string' && <TextProperty at={at} label="Template" />}
      {isExpression && <ExpressionProperty at={at} name={name} />}
      {typeof value === 'object' && !isExpression && <ConditionProperty at={at} label="True when" keepEmpty />}
    </div>
  );
}
