import type { FieldTypeName } from '../../src/engine/definitions/definition';
import type { FieldSource, Source } from '../../src/engine/definitions/source';
import type { HiddenColumn } from '../../src/engine/studio/module';

export function addField(source: Source, label: string, type: FieldTypeName): { source: Source; name: string } {
  const name = label.toLowerCase().replace(/[^a-z0-9]+/g, '_');
  return { name, source: { ...source, fields: { ...source.fields, [name]: { type, label } } } };
}
export function moveField(source: Source, name: string, to: number): Source {
  const names = Object.keys(source.fields).filter((one) => one !== name);
  names.splice(to, 0, name);
  return { ...source, fields: Object.fromEntries(names.map((one) => [one, source.fields[one]!])) };
}
export function removeField(source: Source, name: string): Source {
  const { [name]: _gone, ...fields } = source.fields;
  return { ...source, fields };
}
export function showAgain(source: Source, column: string, _stored: HiddenColumn | undefined, before: Source): Source {
  const field: FieldSource = before.fields[column] ?? { type: 'text' };
  return { ...source, fields: { ...source.fields, [column]: field } };
}
