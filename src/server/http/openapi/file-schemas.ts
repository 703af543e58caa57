import type { Field } from '../../../engine/definitions/definition';
import { describeAccepted } from '../../../engine/field-types/file-kinds';
import { formatBytes, isFiles } from '../../../engine/field-types/files';
import { isFileField } from '../../../engine/field-types/stored-files';
import type { DocumentBuilder, Reference } from './builder';
import { binary, listOf, objectOf, text, type Json } from './schema-parts';

/** Adds the schema of a stored file. */
export function addFile(builder: DocumentBuilder): Reference {
  const schema = objectOf({
    name: text,
    size: { type: 'integer', description: 'Bytes.' },
    type: { type: 'string', description: 'Its type, by its content: image/png.' },
    url: { type: 'string', description: 'A signed address of the file for 10 to 20 minutes.' },
  });
  return builder.add('schemas', 'File', {
    ...schema,
    description: 'A stored file. Send it back as it is to keep it.',
  });
}

/** The schema of a field's value if it is files; `schema`: that of every value. Undefined for other fields. */
export function fileValueSchema(builder: DocumentBuilder, field: Field, schema: Json): Json | undefined {
  if (!isFileField(field)) return undefined;
  const file = addFile(builder);
  const { type: _, ...keywords } = schema;
  if (!isFiles(field)) return { ...keywords, anyOf: [file, { type: 'null' }] };
  const description = `${String(schema.description ?? field.label)} At most ${field.maxItems}: ${describeAccepted(field.accept)}, each of at most ${formatBytes(field.maxBytes)}.`;
  return { ...keywords, type: ['array', 'null'], description, items: file };
}

/** The body as a form, where some of the fields have files: they are its parts, several under one name where a field takes them. */
export function formContent(fields: readonly Field[]): Json {
  const parts = fields
    .filter((field) => isFileField(field) && !field.readOnly)
    .map((field) => [
      field.name,
      isFiles(field)
        ? listOf(binary, {
            description: `${field.label}. A text part beside them is the list of those to keep, as JSON.`,
          })
        : { ...binary, description: `${field.label}.` },
    ]);
  if (parts.length === 0) return {};
  const properties = Object.fromEntries(parts) as Json;
  return { 'multipart/form-data': { schema: { type: 'object', properties, additionalProperties: text } } };
}
