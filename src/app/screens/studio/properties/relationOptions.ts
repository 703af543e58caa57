import { labelOf } from '../../../../engine/definitions/labels';
import type { Registry } from '../../../../engine/definitions/registry';
import type { FieldSource, Source } from '../../../../engine/definitions/source';
import type { Option } from './ChoiceProperty';
import { fieldOptions } from './fieldOptions';

/** The relations of other modules that point to this one, as `resource.field`. */
export function inverseOptions(registry: Registry, name: string): Option[] {
  return registry.referencesTo(name).map(({ definition, field }) => ({
    value: `${definition.name}.${field.name}`,
    label: `${definition.labels.many}, by ${field.label}`,
  }));
}

/** The fields of the resource that a relation or inverse points to. */
export function targetOptions(registry: Registry, source: Source, { to, of }: FieldSource): Option[] {
  const name = to ?? of?.split('.')[0];
  if (name === source.name) return fieldOptions(source);
  const target = registry.get(name);
  const shown = (target ? Object.values(target.fields) : []).flatMap((field) => [
    ...(field.secret ? [] : [{ value: field.name, label: field.label }]),
    ...(field.embed ? [{ value: field.embed, label: labelOf(field.embed) }] : []),
  ]);
  return [...new Map(shown.map((way) => [way.value, way])).values()];
}
