import type { Definition, Field } from '../../../engine/definitions/definition';
import { isFiles, formatBytes } from '../../../engine/field-types/files';
import { describeAccepted } from '../../../engine/field-types/file-kinds';
import { isFileField } from '../../../engine/field-types/stored-files';
import type { RequestContext } from '../../access/request-context';
import { uploadFields } from '../../records/files/upload-file';
import type { Components, Reference } from './components';
import { problemResponses, securityOf } from './responses';

type Json = Record<string, unknown>;

/** The schema of a stored file. */
function fileSchema(components: Components): Reference {
  return components.add('schemas', 'File', {
    type: 'object',
    description: 'A stored file. Send it back as it is to keep it.',
    required: ['name', 'size', 'type', 'url'],
    properties: {
      name: { type: 'string' },
      size: { type: 'integer', description: 'Bytes.' },
      type: { type: 'string', description: 'Its type, by its content: image/png.' },
      url: { type: 'string', description: 'A signed address of the file for 10 to 20 minutes.' },
    },
  });
}

/** The schema of a field's value if it is files; `schema`: what is said of every value. Undefined for other fields. */
export function fileValueSchema(field: Field, schema: Json, components: Components): Json | undefined {
  if (!isFileField(field)) return undefined;
  const file = fileSchema(components);
  const { type: _, ...rest } = schema;
  if (!isFiles(field)) return { ...rest, anyOf: [file, { type: 'null' }] };
  const description = `${String(schema.description ?? field.label)} At most ${field.maxItems}: ${describeAccepted(field.accept)}, each of at most ${formatBytes(field.maxBytes)}.`;
  return { ...rest, type: ['array', 'null'], description, items: file };
}

/** The body as a form, where some of the fields have files: they are its parts, several under one name where a field takes them. */
export function formContent(all: readonly Field[]): Json {
  const fields = all.filter((field) => isFileField(field) && !field.readOnly);
  if (fields.length === 0) return {};
  const binary = { type: 'string', format: 'binary' };
  const properties = Object.fromEntries(
    fields.map((field) => [
      field.name,
      isFiles(field)
        ? {
            type: 'array',
            items: binary,
            description: `${field.label}. A text part beside them is the list of those to keep, as JSON.`,
          }
        : { ...binary, description: `${field.label}.` },
    ]),
  );
  const schema = { type: 'object', properties, additionalProperties: { type: 'string' } };
  return { 'multipart/form-data': { schema } };
}

/** The path that uploads a file before its record is saved; empty for callers who may write no field with several files. */
export function filePath(
  caller: Pick<RequestContext, 'actor' | 'registry'>,
  definition: Definition,
  components: Components,
): Record<string, Json> {
  const fields = uploadFields(caller, definition);
  if (fields.length === 0) return {};
  const { name, labels } = definition;
  const body = { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } };
  const answer = { type: 'object', required: ['data'], properties: { data: fileSchema(components) } };
  return {
    [`/${name}/files`]: {
      post: {
        operationId: `upload-${name}`,
        tags: [labels.many],
        summary: `Upload a file for a ${labels.one} that is saved later`,
        ...securityOf([`${name}.create`, `${name}.edit`]),
        description: 'Sent as a value of the field within a day, it becomes the file of that record.',
        parameters: [
          {
            name: 'field',
            in: 'query',
            required: true,
            description: 'The field that it is for.',
            schema: { type: 'string', enum: fields.map((field) => field.name) },
          },
        ],
        requestBody: { required: true, content: { 'multipart/form-data': { schema: body } } },
        responses: {
          201: { description: 'The stored file.', content: { 'application/json': { schema: answer } } },
          ...problemResponses(components),
        },
      },
    },
  };
}
