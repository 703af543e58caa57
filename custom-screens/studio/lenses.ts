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
export function setType(source: Source, name: string, type: FieldTypeName): Source {
  return { ...source, fields: { ...source.fields, [name]: { ...source.fields[name], type } } };
}
export function renameField(source: Source, name: string, to: string, published: boolean): Source {
  const entries = Object.entries(source.fields).map(([key, field]) =>
    key === name ? [to, published ? { was: name, ...field } : field] : [key, field],
  );
  return { ...source, fields: Object.fromEntries(entries) as Source['fields'] };
}
export function isShown(source: Source, name: string): boolean {
  return (source.list?.columns ?? []).some((one) => typeof one === 'string' && one.replace(/[*!]/g, '') === name);
}
export function setShown(source: Source, name: string, on: boolean): Source {
  const columns = (source.list?.columns ?? []).filter((one) => typeof one !== 'string' || one.replace(/[*!]/g, '') !== name); // prettier-ignore
  return { ...source, list: { ...source.list, columns: on ? [...columns, `${name}*`] : columns } };
}
export function isFiltered(source: Source, name: string): boolean {
  return name in (source.list?.filters ?? {});
}
export function setFiltered(source: Source, name: string, on: boolean): Source {
  const { [name]: _gone, ...filters } = source.list?.filters ?? {};
  return { ...source, list: { ...source.list, filters: on ? { ...filters, [name]: {} } : filters } };
}
