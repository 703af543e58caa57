import type { FieldSource } from '../../../../engine/definitions/source';
import { writtenTypeOf } from '../../../../engine/field-types';
import { useDefinitions } from '../../../admin/DefinitionsContext';
import { ConditionProperty } from '../conditions/ConditionProperty';
import { moduleSubjects } from '../conditions/subjects';

/** The conditions of a field: when it is visible, required and read-only, and which choices it offers. */
export function FieldConditions({ name, field }: { name: string; field: FieldSource }) {
  const { registry } = useDefinitions();
  const at = `/fields/${name}`;
  const target = registry.get(field.to);
  const hasChoices = writtenTypeOf(field).keys.includes('choices');
  return (
    <>
      <ConditionProperty at={`${at}/visible`} label="Visible when" />
      {isCondition(field.required) && <ConditionProperty at={`${at}/required`} label="Required when" keepEmpty />}
      {isCondition(field.readOnly) && <ConditionProperty at={`${at}/readOnly`} label="Read only when" keepEmpty />}
      {hasChoices && target && (
        <ConditionProperty at={`${at}/choices`} label="Choices" subjects={moduleSubjects(target)} />
      )}
    </>
  );
}

const isCondition = (value: unknown) => typeof value === 'object' && value !== null;
