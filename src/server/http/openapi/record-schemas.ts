import type { Definition, Field, FieldOf } from '../../../engine/definitions/definition';
import { isAnyRelation, pinNames } from '../../../engine/field-types/relation';
import { labelOf, templateFields } from '../../../engine/definitions/labels';
import { fieldTypeOf } from '../../../engine/field-types';
import { currentVersion, pinnedRelations } from '../../../engine/normalise/pins';
import { writableFields } from '../../../engine/validation/record-schema';
import { isInverse, shownResource } from '../../../engine/field-types/inverse';
import { isSequence } from '../../../engine/field-types/sequence';
import { isRelations } from '../../../engine/field-types/relations';
import { isRows, insertedRows } from '../../../engine/field-types/rows';
import { responseNamesOf } from '../../../engine/registry/response-names';
import type { DocumentBuilder, Reference } from './builder';
import { fileValueSchema } from './file-schemas';
import { instant, objectOf, partialOf, recordId, typeName, type Json } from './schema-parts';

/** Names of fields that every response has (`always`), and of those that some have. */
interface ReadableNames {
  readonly always: ReadonlySet<string>;
  readonly sometimes: ReadonlySet<string>;
}

/**
 * The schema of a record in responses: stored fields, embeds and related records. Properties that lists and single
 * records both have for this caller are required.
 */
export function responseSchema(
  builder: DocumentBuilder,
  definition: Definition,
  { always: alwaysReadable, sometimes: sometimesReadable }: ReadableNames,
): Json {
  const type = builder.typeOf(definition.name);
  const properties: Json = {};
  const fields = Object.values(definition.fields).filter(({ name, secret }) => sometimesReadable.has(name) && !secret);
  for (const field of fields) {
    if (isInverse(field)) {
      const { showFields, inverse, sum } = field;
      const target = shownResource(field, builder.registry.get(inverse.resource));
      const items = relatedSchema(builder, target, showFields, type + typeName(field.name));
      properties[field.name] = { type: 'array', items };
      if (field.distinctBy === undefined) properties[field.countName] = { type: 'integer', readOnly: true };
      if (sum) {
        const summedField = builder.registry.getOrThrow(inverse.resource).fields[sum.field]!;
        properties[sum.name] = { ...valueSchema(summedField, 'answered'), readOnly: true };
      }
    } else if (isRows(field)) {
      const row = builder.add('schemas', type + typeName(field.name), rowSchema(builder, field, type));
      properties[field.name] = { ...valueSchema(field, 'answered'), items: row };
      properties[field.countName] = { type: 'integer', readOnly: true };
    } else {
      addValue(builder, properties, field, type);
    }
  }
  const required = fields
    .filter(({ name }) => alwaysReadable.has(name))
    .flatMap((field) => {
      const inOne = responseNamesOf(field, 'one');
      return responseNamesOf(field, 'list').filter((name) => inOne.includes(name) && name in properties);
    });
  return { type: 'object', required, properties };
}

/** Adds the value of a field to the properties of a response, and the records that it refers to. */
function addValue(builder: DocumentBuilder, properties: Json, field: Field, type: string): void {
  if (field.embed !== field.name) properties[field.name] = sharedSchema(builder, field, fieldSchema(builder, field));
  if (!isAnyRelation(field) || !field.embed) return;
  const record = relatedSchema(builder, field.to, field.embedFields, type + typeName(field.embed));
  properties[field.embed] = isRelations(field)
    ? { type: 'array', readOnly: true, items: record }
    : { anyOf: [record, { type: 'null' }], readOnly: true };
}

/** The schema of a row in responses: its id, its cells, and the records that they refer to. */
function rowSchema(builder: DocumentBuilder, field: FieldOf<'rows'>, type: string): Json {
  const properties: Json = { id: recordId };
  for (const column of Object.values(field.columns)) addValue(builder, properties, column, type + typeName(field.name));
  if (field.insertedRows)
    properties[insertedRows] = {
      type: ['array', 'null'],
      items: { type: 'object' },
      readOnly: true,
      description: `The rows of the record in ${field.insertedRows.by}, for which this row stands; null in a row of its own.`,
    };
  return objectOf(properties);
}

/** The schema of a row in requests. */
function rowInputSchema(field: FieldOf<'rows'>): Json {
  const columns = writableFields({ fields: field.columns });
  const description = 'The stored row that this is. Left out for a new one.';
  return {
    ...partialOf({
      id: { ...recordId, type: ['integer', 'null'], description },
      ...Object.fromEntries(columns.map((column) => [column.name, nullable(valueSchema(column), column)])),
    }),
    additionalProperties: false,
  };
}

/** The versions of pinned relations that a change can take. */
function versionSchemas(definition: Definition, fields: readonly Field[]): Json {
  const pinnedFields = pinnedRelations(definition).filter((relation) => fields.includes(relation));
  return Object.fromEntries(
    pinnedFields.map(({ name, label }) => [
      pinNames(name).pin,
      {
        type: 'string',
        description: `The version of ${label} that is meant: "${currentVersion}" takes the present one; the value of ${pinNames(name).latest} takes it if it still is the present one, else the response is 422. Setting ${name} takes the present version by itself.`,
      },
    ]),
  );
}

/** The schema of a record in requests. Fields left out of a change keep their values. */
export function inputSchema(
  builder: DocumentBuilder,
  definition: Definition,
  allowedNames: ReadonlySet<string>,
  mode: 'create' | 'change',
): Json {
  const type = builder.typeOf(definition.name);
  const fields = writableFields(definition).filter(({ name }) => allowedNames.has(name));
  const sentSchema = (field: Field): Json =>
    isRows(field)
      ? {
          ...valueSchema(field),
          description: `${field.label}. All rows in their order: those that are left out are removed.${field.help ? ` ${field.help}` : ''}`,
          items: builder.add('schemas', `${type}${typeName(field.name)}Input`, rowInputSchema(field)),
        }
      : valueSchema(field);
  const properties = Object.fromEntries(
    fields.map((field) => [field.name, sharedSchema(builder, field, fieldSchema(builder, field, sentSchema(field)))]),
  );
  if (mode === 'change')
    return {
      ...partialOf({
        ...properties,
        ...versionSchemas(definition, fields),
        // Named, as every resource has them: types made of the document say once what they are.
        id: builder.add('schemas', 'ChangedId', {
          ...recordId,
          description: 'The record, in changes of many records together; ignored elsewhere.',
        }),
        updated_at: builder.add('schemas', 'ReadVersion', {
          ...instant,
          description: 'The version that was read; if the record has changed since, the response is 409.',
        }),
      }),
      additionalProperties: false,
    };
  const required = fields
    .filter((field) => field.required && field.default === undefined && field.name !== 'site_id')
    .map(({ name }) => name);
  return { ...partialOf(properties), ...(required.length > 0 && { required }), additionalProperties: false };
}

/** The schema of a field's value that is optional where the field is, or of its files. */
export function fieldSchema(builder: DocumentBuilder, field: Field, schema = valueSchema(field, 'answered')): Json {
  const readSchema = builder.isGeneric ? withoutLabel(schema, field) : schema;
  return fileValueSchema(builder, field, readSchema) ?? nullable(readSchema, field);
}

/** A schema without a description that is the label alone: in types that are made of it, each takes a line of its own. */
function withoutLabel(schema: Json, { label }: Field): Json {
  const { description, ...rest } = schema;
  return description === `${label}.` ? rest : schema;
}

/** The schema of one value with its label, in requests or responses. */
export function valueSchema(field: Field, direction: 'sent' | 'answered' = 'sent'): Json {
  const type = fieldTypeOf(field);
  const { format, ...schema } = ((direction === 'answered' && type.responseSchema?.(field)) ||
    type.schema(field)) as Json;
  const unit = type.unit?.(field) ?? '';
  const sentences = [
    // A label that only repeats the name says nothing beside it.
    ...(field.label === labelOf(field.name) && unit === '' ? [] : [`${field.label}${unit}.`]),
    ...(field.to ? [`An id of ${field.to}.`] : []),
    ...(field.help ? [field.help] : []),
  ];
  return {
    ...schema,
    ...(typeof format === 'string' && format !== 'time' && { format }),
    ...(sentences.length > 0 && { description: sentences.join(' ') }),
    ...(field.readOnly && { readOnly: true }),
  };
}

/** Relations that every record has are described once: types made of the document do not repeat what they are. */
function sharedSchema(builder: DocumentBuilder, field: Field, schema: Json): Json | Reference {
  const isShared = field.system && (fieldTypeOf(field).holds === 'instant' || isAnyRelation(field));
  return isShared ? builder.reuse('schemas', typeName(field.name), schema) : schema;
}

/** The fields that the program sets in every record. */
const alwaysStored: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at']);

/** Makes the schema of an optional field nullable, unless the program gives it a value. */
function nullable(schema: Json, field: Field): Json {
  if (field.required || isSequence(field) || (field.system && alwaysStored.has(field.name))) return schema;
  const list = Array.isArray(schema.enum) && { enum: [...(schema.enum as unknown[]), null] };
  if (schema.type === undefined) return { ...schema, ...list };
  return { ...schema, type: [schema.type, 'null'], ...list };
}

/** A record in the response of another: one type for all that show the same of it. */
function relatedSchema(
  builder: DocumentBuilder,
  resource: string,
  names: readonly string[],
  ownType: string,
): Reference {
  const target = builder.registry.getOrThrow(resource);
  const inTitle = templateFields(target.recordTitle).map((path) => path.split('.')[0]!);
  const properties = [...inTitle, ...names].map((name) => {
    const field = target.fields[name];
    return [name, field ? fieldSchema(builder, field) : { type: ['object', 'null'] }] as const;
  });
  const schema = { type: 'object', required: ['id'], properties: { id: recordId, ...Object.fromEntries(properties) } };
  return builder.share('schemas', `${builder.typeOf(resource)}Summary`, ownType, schema);
}
