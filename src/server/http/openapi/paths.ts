import type { Actor } from '../../../engine/access/actor';
import { grantedFields, isGranted } from '../../../engine/access/access-decision';
import type { Action, Definition } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/definitions/registry';
import { writableFields } from '../../../engine/validation/record-schema';
import { readableFields } from '../../access/access-filter';
import { typeName, type Components, type Reference } from './components';
import { aggregatePath } from './aggregate-path';
import { bulkPath } from './bulk-path';
import { exportPath } from './export-path';
import {
  envelopeParameter,
  fieldsParameter,
  listParameters,
  queryParameters,
  rangeParameter,
  searchParameters,
} from './list-parameters';
import { choicesSchema, historySchema, inputSchema, responseSchema, type Json } from './record-schemas';
import { requestPaths } from './request-paths';
import { idempotencyParameters, idParameter, problemResponses } from './responses';

/** The names of all resources as types: that of one record, or of the resource where two are called the same. */
function typeNames(registry: Registry): ReadonlyMap<string, string> {
  const definitions = [...registry.definitions.values()];
  const wanted = definitions.map(({ labels }) => typeName(labels.one));
  return new Map(
    definitions.map(({ name }, index) => {
      const own = wanted[index]!;
      const isFree = own !== '' && wanted.filter((other) => other === own).length === 1;
      return [name, isFree ? own : typeName(name) || `Resource${index + 1}`];
    }),
  );
}

/** The paths of one resource, with the operations that the actor may use. */
export function resourcePaths(
  actor: Actor,
  definition: Definition,
  registry: Registry,
  components: Components,
): Record<string, Json> {
  const { name, labels } = definition;
  const type = typeNames(registry).get(name)!;
  // Fields that only the program writes cannot be set by a call.
  const isWritten = writableFields(definition).some(({ system }) => !system);
  const may = (action: Action) =>
    isGranted(actor, name, action) &&
    (isWritten || (action !== 'create' && action !== 'edit')) &&
    (actor.level === 1 || action === 'list' || action === 'view' || definition.scope !== 'installation');
  const list = readableFields(actor, definition, 'list');
  const view = readableFields(actor, definition, 'view');
  const sometimes = new Set([...list.sometimes, ...view.sometimes]);
  const always = new Set([...list.always].filter((field) => view.always.has(field)));
  const record = components.add(
    'schemas',
    type,
    responseSchema(definition, registry, components, type, { sometimes, always }),
  );
  const one = components.add('responses', type, {
    description: `A ${labels.one}.`,
    content: json(inEnvelope(definition, record)),
  });
  const problems = problemResponses(components);
  const envelope = definition.envelope ? [envelopeParameter(components)] : [];
  const writing = [...idempotencyParameters(components), ...envelope];
  const operation = (verb: string, summary: string, rest: Json): Json => ({
    operationId: `${verb}-${name}`,
    tags: [labels.many],
    summary,
    ...rest,
  });
  const sent = (action: 'create' | 'edit') => {
    const fields = grantedFields(actor, definition, action);
    const schema = inputSchema(definition, fields, action === 'create' ? 'create' : 'change', components, type);
    return components.add('schemas', `${type}${action === 'create' ? 'Input' : 'Change'}`, schema);
  };
  const input = may('create') ? sent('create') : undefined;
  const changes = may('edit') ? sent('edit') : undefined;
  const fieldsOfOne = fieldsParameter(definition, 'one', view.sometimes, components, type);

  const collection: Json = {
    ...(may('list') && {
      get: operation('list', `List ${labels.many}`, {
        parameters: [...listParameters(definition, list.always, components, type), ...envelope],
        responses: {
          200: {
            description: 'A page of records.',
            headers: { 'Content-Range': { description: 'As in items 0-14/1234.', schema: { type: 'string' } } },
            content: json(inEnvelope(definition, { type: 'array', items: record })),
          },
          ...problems,
        },
      }),
    }),
    ...(input && {
      post: operation('create', `Create a ${labels.one}`, {
        parameters: writing,
        requestBody: { required: true, content: json(input) },
        responses: { 201: one, ...problems },
      }),
    }),
  };
  const change = (verb: string, summary: string, schema: Reference): Json =>
    operation(verb, summary, {
      description: 'Fields that are left out keep their values: PUT and PATCH do the same.',
      parameters: writing,
      requestBody: { required: true, content: json(schema) },
      responses: { 200: one, ...problems },
    });
  const single: Json = {
    ...(may('view') && {
      get: operation('read', `Read a ${labels.one}`, {
        parameters: [fieldsOfOne, ...envelope],
        responses: { 200: one, ...problems },
      }),
    }),
    ...(changes && {
      put: change('change', `Change a ${labels.one}`, changes),
      patch: change('patch', `Change fields of a ${labels.one}`, changes),
    }),
    ...(may('delete') && {
      delete: operation('delete', `${definition.archive ? 'Archive' : 'Delete'} a ${labels.one}`, {
        parameters: writing,
        responses: { 200: one, ...problems },
      }),
    }),
  };
  const id = [idParameter(components)];
  const chosen = Object.values(definition.fields).filter((field) => field.to && !field.system);
  const choosesFields = chosen.length > 0 && (may('create') || may('edit'));
  return withoutEmpty({
    [`/${name}`]: collection,
    [`/${name}/{id}`]: Object.keys(single).length > 0 ? { parameters: id, ...single } : {},
    [`/${name}/{id}/restore`]:
      definition.archive && may('delete')
        ? {
            parameters: id,
            patch: operation('restore', `Restore a ${labels.one}`, {
              parameters: writing,
              responses: { 200: one, ...problems },
            }),
          }
        : {},
    [`/${name}/{id}/history`]: may('view')
      ? {
          parameters: id,
          get: operation('history', `What changed in a ${labels.one}`, {
            responses: { 200: historyResponse(components), ...problems },
          }),
        }
      : {},
    ...bulkPath(definition, components, {
      type,
      record,
      input,
      change: changes,
      deletes: may('delete'),
      fields: fieldsOfOne,
    }),
    [`/${name}/choices`]:
      may('list') || choosesFields
        ? {
            get: operation('choices', choicesSummary(definition, may('list'), choosesFields), {
              parameters: [
                ...(choosesFields
                  ? [
                      fieldParameter(
                        chosen.map((field) => field.name),
                        !may('list'),
                      ),
                    ]
                  : []),
                ...choiceParameters(components),
              ],
              responses: { 200: choicesResponse(components), ...problems },
            }),
          }
        : {},
    ...(may('list') && {
      ...aggregatePath(definition, components, searchParameters(definition, components), problems),
      ...exportPath(definition, queryParameters(definition, list.always, components, type), problems),
    }),
    ...(may('edit') && requestPaths(definition, registry, components, { type, response: one })),
  });
}

function json(schema: object): Json {
  return { 'application/json': { schema } };
}

function inEnvelope({ envelope }: Definition, schema: object): object {
  return envelope ? { type: 'object', required: [envelope], properties: { [envelope]: schema } } : schema;
}

function choicesSummary({ labels }: Definition, lists: boolean, choosesFields: boolean): string {
  const parts = [
    ...(lists ? [`${labels.many} as filters offer them`] : []),
    ...(choosesFields ? [`the possible values of a field of a ${labels.one}`] : []),
  ];
  return `${parts.join(', or ')}: ids and titles`;
}

function fieldParameter(names: readonly string[], required: boolean): Json {
  return {
    name: 'field',
    in: 'query',
    description: 'The field whose possible values are listed. Other fields of the record may be sent beside it.',
    ...(required && { required }),
    schema: { type: 'string', enum: names },
  };
}

function historyResponse(components: Components): Reference {
  const schema = components.add('schemas', 'History', historySchema);
  return components.add('responses', 'History', { description: 'The changes.', content: json(schema) });
}

function choicesResponse(components: Components): Reference {
  const schema = components.add('schemas', 'Choices', choicesSchema);
  return components.add('responses', 'Choices', { description: 'Ids and titles.', content: json(schema) });
}

function choiceParameters(components: Components): Reference[] {
  return [
    components.add('parameters', 'choices.q', {
      name: 'q',
      in: 'query',
      description:
        'Titles that begin with it come first, then those with a word that does; a number also finds the id.',
      schema: { type: 'string', maxLength: 500 },
    }),
    components.add('parameters', 'range', rangeParameter),
    components.add('parameters', 'choices.near', {
      name: 'near',
      in: 'query',
      description: 'Recently chosen ids, newest first, which are listed first; 0 for the order of the resource alone.',
      schema: { type: 'string', examples: ['7,3', '0'] },
    }),
  ];
}

function withoutEmpty(paths: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(Object.entries(paths).filter(([, path]) => Object.keys(path).length > 0));
}
