import type { AnyRelationField, Definition, Field } from '../../../engine/definitions/definition';
import { isAnyRelation } from '../../../engine/field-types/relation';
import { templateFields } from '../../../engine/definitions/labels';
import type { Registry } from '../../../engine/definitions/registry';
import { fieldTypeOf } from '../../../engine/field-types';
import { writableFields } from '../../../engine/validation/record-schema';
import { isInverse } from '../../../engine/field-types/inverse';
import { isRelations } from '../../../engine/field-types/relations';

export type Json = Record<string, unknown>;

const id = { type: 'integer', minimum: 1 };

/** The schema of a record in responses: stored fields, embeds and related records. */
export function responseSchema(definition: Definition, registry: Registry, readable: ReadonlySet<string>): Json {
  const properties: Json = {};
  for (const field of Object.values(definition.fields)) {
    if (!readable.has(field.name) || field.secret) continue;
    if (isInverse(field)) {
      properties[field.name] = {
        type: 'array',
        items: relatedSchema(registry.getOrThrow(field.inverse.resource), field.show),
      };
      properties[field.countAs] = { type: 'integer', readOnly: true };
      if (field.sum) {
        const { fields } = registry.getOrThrow(field.inverse.resource);
        properties[field.sum.name] = { ...valueSchema(fields[field.sum.field]!, 'answered'), readOnly: true };
      }
      continue;
    }
    if (field.embed !== field.name) properties[field.name] = nullable(valueSchema(field, 'answered'), field);
    if (isAnyRelation(field) && field.embed)
      properties[field.embed] = embedSchema(field, registry.getOrThrow(field.to));
  }
  return { type: 'object', properties };
}

/** The schema of a record in requests. Fields left out of a change keep their values. */
export function inputSchema(definition: Definition, allowed: ReadonlySet<string>, mode: 'create' | 'change'): Json {
  const fields = writableFields(definition).filter(({ name }) => allowed.has(name));
  const required = fields.filter((field) => field.required && field.default === undefined && field.name !== 'site_id');
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(fields.map((field) => [field.name, nullable(valueSchema(field), field)])),
      ...(mode === 'change' && {
        updated_at: {
          type: 'string',
          format: 'date-time',
          description: 'The version that was read; if the record has changed since, the response is 409.',
        },
      }),
    },
    ...(mode === 'create' && required.length > 0 && { required: required.map(({ name }) => name) }),
    additionalProperties: false,
  };
}

/** The schema of one value with its label, in requests or responses. */
export function valueSchema(field: Field, as: 'sent' | 'answered' = 'sent'): Json {
  const type = fieldTypeOf(field);
  const { format, ...schema } = ((as === 'answered' && type.responseSchema?.(field)) || type.schema(field)) as Json;
  const relation = field.to ? ` An id of ${field.to}.` : '';
  return {
    ...schema,
    ...(typeof format === 'string' && format !== 'time' && { format }),
    description: `${field.label}.${relation}${field.help ? ` ${field.help}` : ''}`,
    ...(field.readOnly && { readOnly: true }),
  };
}

/** Makes the schema of an optional field nullable. */
export function nullable(schema: Json, field: Field): Json {
  if (field.required || schema.type === undefined) return schema;
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }),
  };
}

function embedSchema(field: AnyRelationField, target: Definition): Json {
  const record = relatedSchema(target, field.embedFields);
  if (isRelations(field)) return { type: 'array', readOnly: true, items: record };
  return { ...record, type: ['object', 'null'], readOnly: true };
}

function relatedSchema(target: Definition, names: readonly string[]): Json {
  const inTitle = templateFields(target.recordTitle).map((path) => path.split('.')[0]!);
  const shown = [...inTitle, ...names].map((name) => {
    const field = target.fields[name];
    return [name, field ? valueSchema(field, 'answered') : { type: ['object', 'null'] }] as const;
  });
  return { type: 'object', properties: { id, ...Object.fromEntries(shown) } };
}
