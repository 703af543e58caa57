import type { AnyRelationField, Definition, Field, FieldOf } from '../../../engine/definitions/definition';
import { isAnyRelation, pinNames } from '../../../engine/field-types/relation';
import { labelOf, templateFields } from '../../../engine/definitions/labels';
import type { Registry } from '../../../engine/registry/registry';
import { fieldTypeOf } from '../../../engine/field-types';
import { currentVersion, pinnedRelations } from '../../../engine/normalise/pins';
import { writableFields } from '../../../engine/validation/record-schema';
import { isInverse, shownResource } from '../../../engine/field-types/inverse';
import { isSequence } from '../../../engine/field-types/sequence';
import { isRelations } from '../../../engine/field-types/relations';
import { isRows, insertedRows } from '../../../engine/field-types/rows';
import { responseNamesOf } from '../../../engine/registry/response-names';
import { typeName, type Components, type Reference } from './components';
import { fileValueSchema } from './file-schemas';
import { recordId, type Json } from './schema-parts';
import { typeOf } from './type-names';

/** Names of fields that every response has (`always`), and of those that some have. */
export interface ReadableNames {
  readonly always: ReadonlySet<string>;
  readonly sometimes: ReadonlySet<string>;
}

/**
 * The schema of a record in responses: stored fields, embeds and related records. What lists and single records both
 * have for this caller is required.
 */
export function responseSchema(
  definition: Definition,
  registry: Registry,
  components: Components,
  type: string,
  { always: alwaysReadable, sometimes: sometimesReadable }: ReadableNames,
): Json {
  const properties: Json = {};
  const fields = Object.values(definition.fields).filter(({ name, secret }) => sometimesReadable.has(name) && !secret);
  for (const field of fields) {
    if (isInverse(field)) {
      properties[field.name] = {
        type: 'array',
        items: relatedSchema(
          registry,
          shownResource(field, registry.get(field.inverse.resource)),
          field.showFields,
          components,
          type + typeName(field.name),
        ),
      };
      if (field.distinctBy === undefined) properties[field.countName] = { type: 'integer', readOnly: true };
      if (field.sum) {
        const { fields } = registry.getOrThrow(field.inverse.resource);
        properties[field.sum.name] = { ...valueSchema(fields[field.sum.field]!, 'answered'), readOnly: true };
      }
      continue;
    }
    if (isRows(field)) {
      const row = components.add('schemas', type + typeName(field.name), rowSchema(field, registry, components, type));
      properties[field.name] = { ...valueSchema(field, 'answered'), items: row };
      properties[field.countName] = { type: 'integer', readOnly: true };
      continue;
    }
    if (field.embed !== field.name)
      properties[field.name] =
        fileValueSchema(field, valueSchema(field, 'answered'), components) ??
        sharedSchema(field, nullable(valueSchema(field, 'answered'), field), components);
    if (isAnyRelation(field) && field.embed) properties[field.embed] = embedSchema(field, registry, components, type);
  }
  const inEvery = fields
    .filter(({ name }) => alwaysReadable.has(name))
    .flatMap((field) => {
      const inOne = responseNamesOf(field, 'one');
      return responseNamesOf(field, 'list').filter((name) => inOne.includes(name) && name in properties);
    });
  return { type: 'object', required: inEvery, properties };
}

/** The schema of a row in responses: its id, its cells, and the records that they refer to. */
function rowSchema(field: FieldOf<'rows'>, registry: Registry, components: Components, type: string): Json {
  const properties: Json = { id: recordId };
  for (const column of Object.values(field.columns)) {
    if (column.embed !== column.name) properties[column.name] = nullable(valueSchema(column, 'answered'), column);
    if (isAnyRelation(column) && column.embed)
      properties[column.embed] = embedSchema(column, registry, components, type + typeName(field.name));
  }
  if (field.insertedRows)
    properties[insertedRows] = {
      type: ['array', 'null'],
      items: { type: 'object' },
      readOnly: true,
      description: `The rows of the record in ${field.insertedRows.by}, for which this row stands; null in a row of its own.`,
    };
  return { type: 'object', required: Object.keys(properties), properties };
}

/** The schema of a row in requests. */
function rowInputSchema(field: FieldOf<'rows'>): Json {
  const columns = writableFields({ fields: field.columns });
  return {
    type: 'object',
    properties: {
      id: {
        ...recordId,
        type: ['integer', 'null'],
        description: 'The stored row that this is. Left out for a new one.',
      },
      ...Object.fromEntries(columns.map((column) => [column.name, nullable(valueSchema(column), column)])),
    },
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
  definition: Definition,
  allowedNames: ReadonlySet<string>,
  mode: 'create' | 'change',
  components: Components,
  type: string,
): Json {
  const fields = writableFields(definition).filter(({ name }) => allowedNames.has(name));
  const sentSchema = (field: Field): Json =>
    isRows(field)
      ? {
          ...valueSchema(field),
          description: `${field.label}. All rows in their order: those that are left out are removed.${field.help ? ` ${field.help}` : ''}`,
          items: components.add('schemas', `${type}${typeName(field.name)}Input`, rowInputSchema(field)),
        }
      : valueSchema(field);
  const requiredFields = fields.filter(
    (field) => field.required && field.default === undefined && field.name !== 'site_id',
  );
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(
        fields.map((field) => [
          field.name,
          fileValueSchema(field, valueSchema(field), components) ??
            sharedSchema(field, nullable(sentSchema(field), field), components),
        ]),
      ),
      ...(mode === 'change' && {
        ...versionSchemas(definition, fields),
        // Named, as every kind of record has them: types made of the document say once what they are.
        id: components.add('schemas', 'ChangedId', {
          ...recordId,
          description: 'The record, in changes of many records together; ignored elsewhere.',
        }),
        updated_at: components.add('schemas', 'ReadVersion', {
          type: 'string',
          format: 'date-time',
          description: 'The version that was read; if the record has changed since, the response is 409.',
        }),
      }),
    },
    ...(mode === 'create' && requiredFields.length > 0 && { required: requiredFields.map(({ name }) => name) }),
    additionalProperties: false,
  };
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
function sharedSchema(field: Field, schema: Json, components: Components): Json | Reference {
  const isStamp = field.system && fieldTypeOf(field).holds === 'instant';
  return isStamp || (field.system && isAnyRelation(field))
    ? components.reuse('schemas', typeName(field.name), schema)
    : schema;
}

/** The fields that the program sets in every record. */
const alwaysStored: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at']);

/** Makes the schema of an optional field nullable, unless the program gives it a value. */
export function nullable(schema: Json, field: Field): Json {
  if (field.required || isSequence(field) || (field.system && alwaysStored.has(field.name))) return schema;
  const list = Array.isArray(schema.enum) && { enum: [...(schema.enum as unknown[]), null] };
  if (schema.type === undefined) return { ...schema, ...list };
  return { ...schema, type: [schema.type, 'null'], ...list };
}

function embedSchema(field: AnyRelationField, registry: Registry, components: Components, type: string): Json {
  const record = relatedSchema(registry, field.to, field.embedFields, components, type + typeName(field.embed!));
  if (isRelations(field)) return { type: 'array', readOnly: true, items: record };
  return { anyOf: [record, { type: 'null' }], readOnly: true };
}

/** A record in the response of another: one type for all that show the same of it. */
function relatedSchema(
  registry: Registry,
  resource: string,
  names: readonly string[],
  components: Components,
  ownType: string,
): Reference {
  const target = registry.getOrThrow(resource);
  const inTitle = templateFields(target.recordTitle).map((path) => path.split('.')[0]!);
  const shownFields = [...inTitle, ...names].map((name) => {
    const field = target.fields[name];
    if (!field) return [name, { type: ['object', 'null'] }] as const;
    const value = valueSchema(field, 'answered');
    return [name, fileValueSchema(field, value, components) ?? nullable(value, field)] as const;
  });
  const schema = { type: 'object', required: ['id'], properties: { id: recordId, ...Object.fromEntries(shownFields) } };
  return components.share('schemas', `${typeOf(registry, resource)}Summary`, ownType, schema);
}
