import { useCallback, useMemo } from 'react';
import { keysOf } from '../../../../engine/definitions/field-keys';
import { useDefinitions } from '../../../admin/DefinitionsContext';
import { useDraftPart } from '../draft';
import { completeField } from '../fields/entries';
import { ConditionProperty } from '../conditions/ConditionProperty';
import type { BegunCondition } from './FieldSwitches';
import { moduleSubjects } from '../conditions/subjects';

interface FieldConditionsProps {
  name: string;
  begun: BegunCondition;
  onBegin: (part: BegunCondition) => void;
}

/** The conditions of a field: when it is visible, required and read-only, and which choices it offers. */
export function FieldConditions({ name, begun, onBegin }: FieldConditionsProps) {
  const { registry } = useDefinitions();
  const at = `/fields/${name}`;
  const field = useDraftPart(({ source }) => {
    const whole = completeField(source, name);
    return {
      to: whole.to,
      hasChoices: keysOf(whole.type ?? 'text').includes('choices'),
      required: isCondition(whole.required),
      readOnly: isCondition(whole.readOnly),
    };
  });
  const target = registry.get(field.to);
  const subjects = useMemo(() => target && moduleSubjects(target), [target]);
  // A row whose field changes has no value yet: its condition stays in view, though it is not stored.
  const beginRequired = useCallback(() => onBegin('required'), [onBegin]);
  const beginReadOnly = useCallback(() => onBegin('readOnly'), [onBegin]);
  return (
    <>
      <ConditionProperty at={`${at}/visible`} label="Visible when" />
      {(field.required || begun === 'required') && (
        <ConditionProperty
          at={`${at}/required`}
          label="Required when"
          emptied
          begin={begun === 'required'}
          onWait={beginRequired}
        />
      )}
      {(field.readOnly || begun === 'readOnly') && (
        <ConditionProperty
          at={`${at}/readOnly`}
          label="Read only when"
          emptied
          begin={begun === 'readOnly'}
          onWait={beginReadOnly}
        />
      )}
      {field.hasChoices && subjects && <ConditionProperty at={`${at}/choices`} label="Choices" subjects={subjects} />}
    </>
  );
}

const isCondition = (value: unknown) => typeof value === 'object' && value !== null;
