import type { FieldSource } from '../../../src/engine/definitions/source';
import { useDefinitions } from '../../../src/app/admin/DefinitionsContext';
import { ConditionAt } from '../conditions/ConditionAt';
import { subjectsOf } from '../conditions/fields';

/** The conditions of a field: when it is visible, required and read-only, and which choices it offers. */
export function FieldConditions({ name, field }: { name: string; field: FieldSource }) {
  const { registry } = useDefinitions();
  const at = `/fields/${name}`;
  const target = field.to === undefined ? undefined : registry.get(field.to);
  const isRelation = field.type === 'relation' || field.type === 'relations';
  return (
    <>
      <ConditionAt at={`${at}/visible`} label="Visible when" />
      {isCondition(field.required) && <ConditionAt at={`${at}/required`} label="Required when" kept />}
      {isCondition(field.readOnly) && <ConditionAt at={`${at}/readOnly`} label="Read only when" kept />}
      {isRelation && target && <ConditionAt at={`${at}/choices`} label="Choices" subjects={subjectsOf(target)} />}
    </>
  );
}

const isCondition = (value: unknown) => typeof value === 'object' && value !== null;
