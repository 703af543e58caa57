import { writtenTypeOf } from '../../../engine/field-types';
import { isExpressionObject } from '../../../engine/conditions/computed-kind';
import { itemAt } from '../../../engine/values/lookups';
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

/** The source of a computed field: a template for text, a condition for booleans, else an expression as JSON. */
export function ComputedProperty({ pointer }: { pointer: string }) {
  const name = itemAt(pointer.split('/'), 2);
  const { value, set, hint } = useDraftValue(pointer);
  const computedFrom = useDraftPart(({ source }) => writtenTypeOf(completeField(source, name)).computedFrom);
  const first = computedFrom === 'condition' ? {} : computedFrom === 'template' ? '{id}' : emptyExpression;
  const isExpression = typeof value === 'object' && value !== null && isExpressionObject(value);
  return (
    <div className={styles.studioGroup}>
      <SwitchRow
        label="Computed"
        isOn={value !== undefined}
        hint={hint}
        onChange={(isOn) => set(isOn ? first : undefined)}
      />
      {typeof value === 'string' && <TextProperty pointer={pointer} label="Template" />}
      {isExpression && <ExpressionProperty pointer={pointer} name={name} />}
      {typeof value === 'object' && !isExpression && (
        <ConditionProperty pointer={pointer} label="True when" keepEmpty />
      )}
    </div>
  );
}
