import type { Source } from '../../src/engine/definitions/source';

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
export function addToForm(source: Source, name: string): Source {
  const sections = source.form?.sections;
  if (!sections || sections.some(({ fields }) => fields.includes(name))) return source;
  const last = sections.at(-1)!;
  return {
    ...source,
    form: { ...source.form, sections: [...sections.slice(0, -1), { ...last, fields: [...last.fields, name] }] },
  };
}
