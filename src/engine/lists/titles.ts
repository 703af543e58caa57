import type { Definition, Field, ResourceRecord } from '../definitions/definition';
import { fillTemplate, templateFields } from '../definitions/labels';
import { firstOf } from '../values/lookups';

/**
 * The title of a record: from its fields if it contains those of its title (as embeds do), otherwise its `title`, as in
 * choices.
 *
 * @example recordTitleOf(users, { id: 7, title: 'Ada Larsen' }); // 'Ada Larsen'
 */
export function recordTitleOf(definition: Definition | undefined, record: ResourceRecord): string {
  const isWhole =
    definition && templateFields(definition.recordTitle).every((path) => firstOf(path.split('.')) in record);
  const ownTitle = isWhole ? fillTemplate(definition.recordTitle, record) : record.title;
  const text = ownTitle || (definition ? record[definition.titleField] : undefined) || record.title || record.name;
  return text === undefined || text === null || text === '' ? `#${String(record.id)}` : String(text);
}

/**
 * The related records in a response under a relation's embed; empty if there is no embed.
 *
 * @example embedsOf(project, { project_id: 7, project: { id: 7, name: 'Website' } }); // [{ id: 7, name: 'Website' }]
 */
export function embedsOf(field: Field, record: ResourceRecord): ResourceRecord[] {
  const embedded = [record[field.embed ?? field.name], record[field.name]].find(isRelated);
  const list = Array.isArray(embedded) ? embedded : embedded === undefined ? [] : [embedded];
  return list.filter(isRecord);
}

function isRelated(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isRecord) : isRecord(value);
}

function isRecord(value: unknown): value is ResourceRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
