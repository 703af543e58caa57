import type { Definition, Field, ResourceRecord } from '../../../../engine/definitions/definition';

const day = 86_400_000;

/** A made-up record, to preview the form of a module without records. */
export function sampleRecord(definition: Definition, now = Date.now()): ResourceRecord {
  const values = Object.values(definition.fields).map((field) => [field.name, sampleValue(field, now)] as const);
  return { ...Object.fromEntries(values), id: 1, created_at: new Date(now).toISOString() };
}

function sampleValue(field: Field, now: number): unknown {
  const { type, label, options, min = 0, max, integer, to } = field;
  const date = new Date(now + day).toISOString();
  if (field.computed !== undefined || to !== undefined || field.secret) return null;
  switch (type) {
    case 'text':
    case 'textarea':
      return `Sample ${label.toLowerCase()}`.slice(0, field.maxLength);
    case 'richText':
      return `<p>Sample ${label.toLowerCase()}</p>`;
    case 'number':
      return Math.min(Math.max(integer ? 3 : 2.5, min), max ?? Infinity);
    case 'boolean':
      return true;
    case 'date':
      return date.slice(0, 10);
    case 'datetime':
      return date;
    case 'email':
      return 'sample@example.com';
    case 'url':
      return 'https://example.com';
    case 'select':
      return options?.[0]?.value ?? null;
    default:
      return null;
  }
}
