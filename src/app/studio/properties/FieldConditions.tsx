import { useCallback, useMemo } from 'react';
import { keysOf } from '../../../engine/field-types/field-keys';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useDraftPart } from '../draft';
import { completeField } from '../fields/entries';
import { ConditionProperty } from '../conditions/ConditionProperty';
import type { BegunCondition } from './FieldSwitches';
import { moduleSubjects } from '../conditions/subjects';

interface FieldConditionsProps {
  name: string;
  newCondition: BegunCondition;
  onBegin: (part: BegunCondition) => void;
}

/** The conditions of a field: when it is visible, required and read-only, and which choices it offers. */
export function FieldConditions({ name, newCondition, onBegin }: FieldConditionsProps) {
  const { registry } = useDefinitions();
  const pointer = `/fields/${name}`;
  const field = useDraftPart(({ source }) => {
    const fullField = completeField(source, name);
    return {
      to: fullField.to,
      hasChoices: keysOf(fullField.type ?? 'text').includes('choices'),
      required: isCondition(fullField.required),
      readOnly: isCondition(fullField.readOnly),
    };
  });
  const target = registry.get(field.to);
  const subjects = useMemo(() => target && moduleSubjects(target), [target]);
  // A row whose field changes has no value yet: its condition stays in view, though it is not stored.
  const beginRequired = useCallback(() => onBegin('required'), [onBegin]);
  const beginReadOnly = useCallback(() => onBegin('readOnly'), [onBegin]);
  return (
    <>
      <ConditionProperty pointer={`${pointer}/visible`} label="Visible when" />
      {(field.required || newCondition === 'required') && (
        <ConditionProperty
          pointer={`${pointer}/required`}
          label="Required when"
          isTrueWhenEmpty
          begin={newCondition === 'required'}
          onWait={beginRequired}
        />
      )}
      {(field.readOnly || newCondition === 'readOnly') && (
        <ConditionProperty
          pointer={`${pointer}/readOnly`}
          label="Read only when"
          isTrueWhenEmpty
          begin={newCondition === 'readOnly'}
          onWait={beginReadOnly}
        />
      )}
      {field.hasChoices && subjects && (
        <ConditionProperty pointer={`${pointer}/choices`} label="Choices" subjects={subjects} />
      )}
    </>
  );
}

const isCondition = (value: unknown) => typeof value === 'object' && value !== null;
