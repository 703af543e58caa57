import { normalise } from '../../../engine/normalise/normalise';
import type { Source } from '../../../engine/language/source';
import { readColumns, writeColumns, type ColumnView } from '../../../engine/studio/columns';
import { readFilters, writeFilters } from '../../../engine/studio/filters';
import { moveFieldToSection, readSections } from '../../../engine/studio/sections';
import { itemAt } from '../../../engine/values/lookups';

/** The columns of a definition's list: its own, or the default ones. */
export function listColumns(source: Source): ColumnView[] {
  return (
    readColumns(source) ??
    normalise(source).list.columns.map(({ field, visible, fixed: isFixed }) => ({ field, visible, fixed: isFixed }))
  );
}

/** Whether the list shows a field by default. */
export function isShownInList(source: Source, name: string): boolean {
  return listColumns(source).find(({ field }) => field === name)?.visible ?? false;
}

/** The definition with a field shown in the list or hidden. A new column is placed after that of the previous field. */
export function setShownInList(source: Source, name: string, visible: boolean): Source {
  const columns = listColumns(source);
  const columnIndex = columns.findIndex(({ field }) => field === name);
  if (columnIndex >= 0) {
    const isFixed = visible && itemAt(columns, columnIndex).fixed;
    return writeColumns(
      source,
      columns.with(columnIndex, { ...itemAt(columns, columnIndex), visible, fixed: isFixed }),
    );
  }
  const names = Object.keys(source.fields);
  const namesBefore = names.slice(0, names.indexOf(name));
  const index = columns.findLastIndex(({ field }) => namesBefore.includes(field)) + 1 || columns.length;
  return writeColumns(source, columns.toSpliced(index, 0, { field: name, visible, fixed: false }));
}

/** Whether the Filters dialog offers a field. */
export function hasFilter(source: Source, name: string): boolean {
  return readFilters(source).some(({ field }) => field === name);
}

/** The definition with or without a filter by a field. */
export function setFilter(source: Source, name: string, isOn: boolean): Source {
  const otherFilters = readFilters(source).filter(({ field }) => field !== name);
  return writeFilters(
    source,
    isOn ? [...otherFilters, { name, field: name, multiple: false, range: false }] : otherFilters,
  );
}

/** The definition with a new field in its form: after the previous field, else at the end. */
export function addToForm(source: Source, name: string): Source {
  const sections = readSections(source);
  if (!sections || sections.some(({ fields }) => fields.includes(name))) return source;
  const names = Object.keys(source.fields);
  const nameBefore = names[names.indexOf(name) - 1];
  const section = sections.findIndex(({ fields }) => nameBefore !== undefined && fields.includes(nameBefore));
  if (nameBefore === undefined || section < 0) return moveFieldToSection(source, name, sections.length - 1);
  return moveFieldToSection(source, name, section, itemAt(sections, section).fields.indexOf(nameBefore) + 1);
}
