import { normalise } from '../../../../engine/definitions/normalise';
import type { Source } from '../../../../engine/definitions/source';
import { readColumns, writeColumns, type ColumnView } from '../../../../engine/studio/columns';
import { readFilters, writeFilters } from '../../../../engine/studio/filters';
import { moveFieldToSection, readSections } from '../../../../engine/studio/sections';

/** The columns of a definition's list: its own, or the default ones. */
export function listColumns(source: Source): ColumnView[] {
  return (
    readColumns(source) ??
    normalise(source).list.columns.map(({ field, visible, fixed }) => ({ field, visible, fixed }))
  );
}

/** Whether the list shows a field by default. */
export function isShownInList(source: Source, name: string): boolean {
  return listColumns(source).find(({ field }) => field === name)?.visible ?? false;
}

/** The definition with a field shown in the list or hidden. A new column is placed after that of the previous field. */
export function setShownInList(source: Source, name: string, visible: boolean): Source {
  const columns = listColumns(source);
  const known = columns.findIndex(({ field }) => field === name);
  if (known >= 0) {
    const fixed = visible && columns[known]!.fixed;
    return writeColumns(source, columns.with(known, { ...columns[known]!, visible, fixed }));
  }
  const names = Object.keys(source.fields);
  const before = names.slice(0, names.indexOf(name));
  const place = columns.findLastIndex(({ field }) => before.includes(field)) + 1 || columns.length;
  return writeColumns(source, columns.toSpliced(place, 0, { field: name, visible, fixed: false }));
}

/** Whether the Filters dialog offers a field. */
export function hasFilter(source: Source, name: string): boolean {
  return readFilters(source).some(({ field }) => field === name);
}

/** The definition with or without a filter by a field. */
export function setFilter(source: Source, name: string, on: boolean): Source {
  const others = readFilters(source).filter(({ field }) => field !== name);
  return writeFilters(source, on ? [...others, { name, field: name, multiple: false, range: false }] : others);
}

/** The definition with a new field in its form: after the previous field, else at the end. */
export function addToForm(source: Source, name: string): Source {
  const sections = readSections(source);
  if (!sections || sections.some(({ fields }) => fields.includes(name))) return source;
  const names = Object.keys(source.fields);
  const before = names[names.indexOf(name) - 1];
  const section = sections.findIndex(({ fields }) => before !== undefined && fields.includes(before));
  if (section < 0) return moveFieldToSection(source, name, sections.length - 1);
  return moveFieldToSection(source, name, section, sections[section]!.fields.indexOf(before!) + 1);
}
