import type { Definition, Field, ResourceRecord } from '../definitions/definition';
import { fillTemplate } from '../definitions/labels';

/** What a record is called. An embed carries nothing but its title field, which then stands for the whole title. */
export function titleOf(definition: Definition | undefined, record: ResourceRecord): string {
  const own = definition && fillTemplate(definition.recordTitle, record);
  const text = own || (definition ? record[definition.titleField] : undefined) || record.title || record.name;
  return text === undefined || text === null ? `#${String(record.id)}` : String(text);
}

/** The related records that stand in an answer under a relation's embed; none where there is no embed. */
export function embedsOf(field: Field, record: ResourceRecord): ResourceRecord[] {
  const found = [record[field.embed ?? field.name], record[field.name]].find(isRelated);
  const list = Array.isArray(found) ? found : found === undefined ? [] : [found];
  return list.filter(isRecord);
}

function isRelated(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isRecord) : isRecord(value);
}

function isRecord(value: unknown): value is ResourceRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
