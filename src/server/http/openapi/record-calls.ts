import type { Actor } from '../../../engine/access/actor';
import { isGranted } from '../../../engine/access/access-decision';
import type { Action, Definition, Field } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';
import { exportFormats } from '../../../engine/exports/file-name';
import { isShareLink } from '../../../engine/field-types/share-link';
import { isComparedText } from '../../../engine/field-types/text';
import { narrowingFields } from '../../../engine/forms/similar-records';
import { exportTypes } from '../../exports/export-types';
import { maxBulkOperations } from '../../records/write/bulk';
import { uploadFields } from '../../records/files/upload-file';
import type { Components, Reference } from './components';
import { addFile, formContent } from './file-schemas';
import { addQuerySchema, fieldsParameter, listParameters, queryParameters, searchParameters } from './list-parameters';
import { addCall, problemResponse, type Call, type Paths } from './operations';
import { requestCalls } from './request-calls';
import { resourceTypes, type ResourceTypes } from './resource-types';
import { binary, inPath, inQuery, integer, json, listOf, objectOf, recordId, text, type Json } from './schema-parts';
import {
  addDeletedIds,
  assignedIdsParameter,
  restoreVersionSchema,
  sharedParameters,
  sharedResponse,
  versionParameter,
} from './shared-parts';

interface Caller {
  readonly actor: Actor;
  readonly registry: Registry;
}

/** A resource with its named schemas, for one caller. */
interface Resource {
  readonly definition: Definition;
  readonly types: ResourceTypes;
}

/** The records that calls are about: those of one resource, or of any, which is then a parameter of the path. */
interface Subject {
  readonly resources: readonly Resource[];
  readonly isGeneric: boolean;
  /** The first part of the path. */
  readonly path: string;
  readonly tag: string;
  readonly one: string;
  readonly many: string;
  /** The names of a record, of a list and of a bulk call among the named parts. */
  readonly names: { readonly one: string; readonly list: string; readonly bulk: string };
  readonly record: Reference;
  readonly input?: Reference;
  readonly change?: Reference;
  readonly response: Reference;
  /** The property of responses that has the record; none: the response is the record. */
  readonly envelope: string | null;
  readonly envelopeParameters: readonly Reference[];
  /** The query parameters of a list, of the calls that only search, and of a single record. */
  readonly listQuery: () => readonly Reference[];
  readonly searchQuery: () => readonly Reference[];
  readonly fieldsOfOne: readonly Reference[];
}

/** A call on records. It is described if the document has it, so that no part is named in vain. */
interface RecordCall {
  readonly method: string;
  /** The path after `/api/`. */
  readonly path: string;
  readonly id: string;
  /** The actions of which its callers need one. */
  readonly needs: readonly Action[];
  readonly describe: (
    offered: readonly Resource[],
  ) => Partial<Pick<Call, 'id'>> &
    Pick<Call, 'summary' | 'description' | 'pathParameters' | 'parameters' | 'body' | 'status' | 'response'>;
}

/** Adds the calls of each resource, as far as the actor may make them. */
export function addResourceCalls(
  paths: Paths,
  caller: Caller,
  definitions: readonly Definition[],
  components: Components,
): void {
  for (const definition of definitions) {
    const resource = { definition, types: resourceTypes(caller.actor, definition, caller.registry, components) };
    const subject = singleSubject(resource, components);
    const calls = [...recordCalls(subject, components), ...ownCalls(resource, subject, caller, components)];
    for (const call of calls) addRecordCall(paths, subject, call, components);
    for (const call of uploadCalls(definition, caller, components)) addCall(paths, call, components);
    const { may: isAllowed, type } = resource.types;
    if (!isAllowed('edit')) continue;
    for (const call of requestCalls(definition, caller.registry, components, { type, response: subject.response }))
      addCall(paths, call, components);
  }
}

/**
 * Adds the calls that all resources have, each written once with the resource as a parameter. The schema `Resources` has the
 * types of each: its record, its input, its change and its query. Requests of definitions have paths of their own, those
 * that ask for nothing one for each resource.
 */
export function addGenericCalls(
  paths: Paths,
  { actor, registry }: Caller,
  definitions: readonly Definition[],
  components: Components,
): void {
  const resources = definitions
    .map((definition) => ({ definition, types: resourceTypes(actor, definition, registry, components) }))
    .filter(({ types }) => (['list', 'view', 'create', 'edit', 'delete'] as const).some(types.may));
  const entries = resources.map((resource) => [resource.definition.name, typesOf(resource, components)]);
  components.add('schemas', 'Resources', objectOf(Object.fromEntries(entries) as Json));
  const subject = genericSubject(resources, components);
  for (const call of recordCalls(subject, components)) addRecordCall(paths, subject, call, components);
  for (const resource of resources) {
    const { definition, types } = resource;
    if (!types.may('edit') || Object.keys(definition.requests).length === 0) continue;
    const { labels, envelope } = definition;
    const response = recordResponse(components, types.type, labels.one, envelope, types.record);
    const options = { type: types.type, response, isGrouped: true };
    for (const call of requestCalls(definition, registry, components, options)) addCall(paths, call, components);
  }
}

function typesOf({ definition, types }: Resource, components: Components): Json {
  return objectOf({
    record: types.record,
    ...(types.input && { input: types.input }),
    ...(types.change && { change: types.change }),
    ...(types.may('list') && { query: addQuerySchema(definition, types, components) }),
  });
}

function singleSubject(resource: Resource, components: Components): Subject {
  const { definition, types } = resource;
  const { name, labels, envelope } = definition;
  const { type, record, inLists, inOne } = types;
  return {
    resources: [resource],
    isGeneric: false,
    path: name,
    tag: labels.many,
    ...labels,
    names: { one: type, list: `${type}List`, bulk: `${type}Bulk` },
    ...types,
    response: recordResponse(components, type, labels.one, envelope, record),
    envelope,
    envelopeParameters: envelope ? sharedParameters(components, 'envelope') : [],
    listQuery: () => listParameters(definition, inLists, components, type),
    searchQuery: () => searchParameters(definition, components),
    fieldsOfOne: [fieldsParameter(definition, 'one', inOne, components, type)],
  };
}

/** Without an envelope all resources answer alike. */
function genericSubject(resources: readonly Resource[], components: Components): Subject {
  const anyOf = (name: string, kind: 'record' | 'input' | 'change') => {
    const schemas = resources.flatMap(({ types }) => types[kind] ?? []);
    return components.add('schemas', name, schemas.length > 0 ? { anyOf: schemas } : {});
  };
  const [record, input, change] = [
    anyOf('AnyRecord', 'record'),
    anyOf('AnyInput', 'input'),
    anyOf('AnyChange', 'change'),
  ];
  const query = sharedParameters(components, 'query');
  return {
    resources,
    isGeneric: true,
    path: '{resource}',
    tag: 'Records',
    one: 'record',
    many: 'records',
    names: { one: 'Record', list: 'Records', bulk: 'Bulk' },
    record,
    ...(resources.some(({ types }) => types.input) && { input }),
    ...(resources.some(({ types }) => types.change) && { change }),
    response: recordResponse(components, 'Record', 'record', null, record),
    envelope: null,
    envelopeParameters: sharedParameters(components, 'envelope.none'),
    listQuery: () => query,
    searchQuery: () => query,
    fieldsOfOne: [],
  };
}

function recordResponse(
  components: Components,
  name: string,
  label: string,
  envelope: string | null,
  record: Reference,
): Reference {
  return components.add('responses', name, { description: `A ${label}.`, content: json(inEnvelope(envelope, record)) });
}

function inEnvelope(envelope: string | null, schema: object): object {
  return envelope ? objectOf({ [envelope]: schema }) : schema;
}

function addRecordCall(paths: Paths, subject: Subject, call: RecordCall, components: Components): void {
  const { method, id, needs: neededActions, describe } = call;
  const isOffered = conditions[id] ?? (() => true);
  const resources = subject.resources.filter(
    (resource) => neededActions.some(resource.types.may) && isOffered(resource),
  );
  if (resources.length === 0) return;
  const path = `/${call.path}`;
  const { pathParameters = [], parameters = [], ...details } = describe(resources);
  const ofPath = [...(path.includes('/{id}') ? sharedParameters(components, 'id') : []), ...pathParameters];
  const names = resources.map(({ definition }) => definition.name);
  const key = neededActions.length > 1 || conditions[id] ? id : neededActions[0];
  const generic = () => [
    components.share('parameters', 'resource', `resource.${key}`, inPath('resource', namesSchema(names))),
    ...ofPath,
  ];
  const actions = neededActions.filter((action) => resources.some(({ types }) => types.may(action)));
  addCall(
    paths,
    {
      method,
      path,
      id: subject.isGeneric ? id : `${id}-${subject.path}`,
      tag: subject.tag,
      scopes: actions.map((action) => `${subject.path}.${action}`),
      ...details,
      ...(!subject.isGeneric && { pathParameters: ofPath }),
      parameters: [...(subject.isGeneric ? generic() : []), ...parameters],
    },
    components,
  );
}

const call = (
  method: string,
  path: string,
  id: string,
  neededActions: readonly Action[],
  describe: RecordCall['describe'],
): RecordCall => ({ method, path, id, needs: neededActions, describe });

/** The resources that have a call, where not all of them do. */
const conditions: Readonly<Record<string, ((resource: Resource) => boolean) | undefined>> = {
  print: ({ definition }) => definition.print !== undefined,
  restore_version: ({ definition }) => definition.history,
  undelete: ({ definition }) => !definition.archive && !definition.delete.final,
  choices: (resource) => resource.types.may('list') || chosenFields(resource).length > 0,
  uses: (resource) => fieldsOf([resource]).some(({ confirmChangesOf }) => confirmChangesOf),
  similar: (resource) => resource.types.may('list') && fieldsOf([resource]).some((field) => isComparedText(field)),
  share: (resource) => fieldsOf([resource]).some(isShareLink),
  unshare: (resource) => fieldsOf([resource]).some(isShareLink),
  restore: ({ definition }) => definition.archive !== null,
  assignments: ({ definition }) => definition.delete.keep,
  export: ({ definition }) => definition.export !== undefined,
};

/** The calls that all resources have, and those that depend on a definition alone. */
function recordCalls(subject: Subject, components: Components): RecordCall[] {
  const {
    path,
    one: oneLabel,
    many: manyLabel,
    names,
    record,
    input,
    change,
    response,
    envelope,
    envelopeParameters,
  } = subject;
  problemResponse(components);
  const retries = sharedParameters(components, 'Idempotency-Key');
  const writing = [...retries, ...envelopeParameters];
  const sentBody = (kind: 'Input' | 'Change', schema: Reference) =>
    components.add('requestBodies', names.one + kind, {
      ...(kind === 'Change' && {
        description: 'Fields that are left out keep their values: PUT and PATCH do the same.',
      }),
      required: true,
      content: { ...json(schema), ...(!subject.isGeneric && formContent(fieldsOf(subject.resources))) },
    });
  const edit = (summary: string) => ({ summary, parameters: writing, body: sentBody('Change', change!), response });
  const successor = (resources: readonly Resource[]) =>
    resources.some(({ definition, types }) => definition.delete.keep && types.may('delete'))
      ? sharedParameters(components, 'successor')
      : [];
  return [
    call('get', path, 'list', ['list'], () => ({
      summary: `List ${manyLabel}`,
      parameters: [...subject.listQuery(), ...envelopeParameters],
      response: components.add('responses', names.list, {
        description: 'A page of records.',
        headers: { 'Content-Range': { description: 'As in items 0-14/1234.', schema: text } },
        content: json(inEnvelope(envelope, listOf(record))),
      }),
    })),
    call('post', path, 'create', ['create'], () => ({
      summary: `Create a ${oneLabel}`,
      parameters: writing,
      body: sentBody('Input', input!),
      status: 201,
      response,
    })),
    call('get', `${path}/{id}`, 'read', ['view'], () => ({
      summary: `Read a ${oneLabel}`,
      parameters: [...subject.fieldsOfOne, ...envelopeParameters],
      response,
    })),
    ...(subject.isGeneric ? [] : [call('put', `${path}/{id}`, 'change', ['edit'], () => edit(`Change a ${oneLabel}`))]),
    call('patch', `${path}/{id}`, 'patch', ['edit'], () => edit(`Change fields of a ${oneLabel}`)),
    call('delete', `${path}/{id}`, 'delete', ['delete'], (resources) => ({
      summary: `${deletionVerb(resources)} a ${oneLabel}`,
      parameters: [...writing, ...successor(resources)],
      response,
    })),
    call('get', `${path}/{id}/history`, 'history', ['view'], () => ({
      summary: `What changed in a ${oneLabel}`,
      response: sharedResponse(components, 'History'),
    })),
    call('get', `${path}/{id}/print`, 'print', ['view'], () => ({
      summary: `A page of a ${oneLabel} to print`,
      response: components.add('responses', 'PrintedPage', {
        description: 'The page as HTML without scripts, for A4 or Letter.',
        content: { 'text/html': { schema: text } },
      }),
    })),
    call('post', `${path}/{id}/history/{version}/restore`, 'restore_version', ['edit'], () => ({
      summary: `Bring back a version of a ${oneLabel}`,
      pathParameters: [versionParameter],
      parameters: writing,
      body: { content: json(restoreVersionSchema) },
      response,
    })),
    call('post', `${path}/bulk`, 'bulk', ['create', 'edit', 'delete'], (resources) => ({
      summary: `Create, change and delete ${manyLabel}, all of them or none`,
      parameters: [...retries, ...subject.fieldsOfOne, ...successor(resources)],
      ...bulkSchemas(subject, resources, components),
    })),
    call('post', `${path}/restore`, 'undelete', ['delete'], () => ({
      summary: `Bring back ${manyLabel} that you deleted within the last hour, all of them or none`,
      parameters: retries,
      body: { required: true, content: json(addDeletedIds(components)) },
      response: { description: 'As they are now.', content: json(objectOf({ data: listOf(record) })) },
    })),
    call('get', `${path}/choices`, 'choices', ['list', 'create', 'edit'], (resources) => {
      const hasList = resources.some(({ types }) => types.may('list'));
      const fields = distinctNames(resources.flatMap(chosenFields));
      const offers = [
        ...(hasList ? [`${manyLabel} as filters offer them`] : []),
        ...(fields.length > 0 ? [`the possible values of a field of a ${oneLabel}`] : []),
      ];
      return {
        summary: sentence(`${offers.join(', or ')}: ids and titles`),
        parameters: [
          ...(fields.length > 0 ? [fieldOfChoices(fields, !hasList)] : []),
          ...sharedParameters(
            components,
            'choices.q',
            'range',
            'choices.near',
            'choices.default',
            'choices.referred_by',
          ),
        ],
        response: sharedResponse(components, 'Choices'),
      };
    }),
    call('get', `${path}/{id}/uses/{field}`, 'uses', ['view'], (resources) => ({
      summary: `In how many records ${subject.isGeneric ? 'a record is' : `${manyLabel.toLowerCase()} are`} used`,
      pathParameters: [fieldInPath(fieldsOf(resources).filter(({ confirmChangesOf }) => confirmChangesOf))],
      response: sharedResponse(components, 'Uses'),
    })),
    call('get', `${path}/similar/{field}`, 'similar', ['create', 'edit'], (resources) => ({
      summary: sentence(`${manyLabel} with a similar text, the most similar first`),
      parameters: [
        fieldInPath(fieldsOf(resources).filter((field) => isComparedText(field))),
        ...sharedParameters(components, 'similar.text', 'similar.record'),
        ...distinctNames(resources.flatMap(({ definition }) => narrowingFields(definition))).map((name) =>
          inQuery(name, 'Only records with the same.', integer),
        ),
      ],
      response: sharedResponse(components, 'Similar'),
    })),
    call('get', `${path}/aggregate`, 'aggregate', ['list'], () => ({
      summary: `Count ${manyLabel} and add up their fields, by groups`,
      description:
        'Of the records that the list has for you. Every filter of the list can be used here too, by its name.',
      parameters: [
        ...sharedParameters(
          components,
          'aggregate.group',
          'aggregate.take',
          'aggregate.sort_by',
          'aggregate.totals',
          'range',
        ),
        ...subject.searchQuery(),
      ],
      response: sharedResponse(components, 'Groups'),
    })),
    call('post', `${path}/{id}/share`, 'share', ['edit'], () => ({
      summary: `Create a new share link of a ${oneLabel}`,
      parameters: writing,
      response,
    })),
    call('delete', `${path}/{id}/share`, 'unshare', ['edit'], () => ({
      summary: `Remove the share link of a ${oneLabel}`,
      parameters: writing,
      response,
    })),
  ];
}

/** The calls that some resources have, of which documents with generic paths say nothing. */
function ownCalls(
  { definition, types }: Resource,
  { response, envelopeParameters }: Subject,
  { actor, registry }: Caller,
  components: Components,
): RecordCall[] {
  const { name, labels, fields, list } = definition;
  const tree = registry.get(fields[list.tree?.[0] ?? '']?.to ?? '');
  const file = (content: Json) => ({ description: 'The file. X-Total is the number of its rows.', content });
  const filters = 'Every filter of the list can be used here too, by its name.';
  const formats = Object.keys(definition.export?.formats ?? {});
  // The export of this list has parts of its own where it has formats of its own.
  const part = formats.length > 0 ? `export-${name}` : 'export';
  const exportQuery = () => queryParameters(definition, types.inLists, components, types.type);
  const treeCalls =
    !tree || !isGranted(actor, tree.name, 'list')
      ? []
      : [
          call('get', `${name}/tree`, 'tree', ['list'], () => ({
            summary: `Count ${labels.many} by the tree of ${tree.labels.many}`,
            description:
              'Counted within the records that the list with the same filters has for you; a filter by a branch (`tree`) is left out.',
            parameters: searchParameters(definition, components),
            response: sharedResponse(components, 'Tree'),
          })),
        ];
  return [
    ...treeCalls,
    call('patch', `${name}/{id}/restore`, 'restore', ['edit'], () => ({
      summary: `Restore a ${labels.one}`,
      parameters: [...sharedParameters(components, 'Idempotency-Key'), ...envelopeParameters],
      response,
    })),
    call('get', `${name}/assignments`, 'assignments', ['delete'], () => ({
      summary: `How many records are assigned to ${labels.many}`,
      parameters: [assignedIdsParameter],
      response: sharedResponse(components, 'Assignments'),
    })),
    call('get', definition.export?.path ?? '', 'export', ['list'], () => ({
      summary: `Download ${labels.many}`,
      description: filters,
      parameters: [
        components.add(
          'parameters',
          `${part}.format`,
          inQuery('format', undefined, {
            type: 'string',
            enum: [...exportFormats, ...formats],
            default: exportFormats[0],
          }),
        ),
        ...sharedParameters(components, 'export.columns', 'export.ids'),
        ...exportQuery(),
      ],
      response: components.add('responses', formats.length > 0 ? `${name}-file` : 'Spreadsheet', {
        ...file({
          ...Object.fromEntries(exportFormats.map((format) => [exportTypes[format], { schema: binary }])),
          ...(formats.length > 0 && { 'application/octet-stream': { schema: binary } }),
        }),
      }),
    })),
    ...Object.entries(definition.exports ?? {}).map(([key, { label, format }]) =>
      call('get', `${definition.export?.path}/${key}`, 'export', ['list'], () => ({
        id: `export-${name}-${key}`,
        summary: `Download ${labels.many} for ${label}`,
        description: `The columns and their format are those of the definition. ${filters}`,
        parameters: exportQuery(),
        response: file({ [exportTypes[format]]: { schema: binary } }),
      })),
    ),
  ];
}

/** The upload of a file before its record is saved, for callers who may write a field with several files. */
function uploadCalls(definition: Definition, caller: Caller, components: Components): Call[] {
  const fields = uploadFields(caller, definition);
  if (fields.length === 0) return [];
  const { name, labels } = definition;
  const field = inQuery('field', 'The field that it is for.', namesSchema(distinctNames(fields)));
  return [
    {
      method: 'post',
      path: `/${name}/files`,
      id: `upload-${name}`,
      tag: labels.many,
      summary: `Upload a file for a ${labels.one} that is saved later`,
      description: 'Sent as a value of the field within a day, it becomes the file of that record.',
      scopes: [`${name}.create`, `${name}.edit`],
      parameters: [{ ...field, required: true }],
      body: { required: true, content: { 'multipart/form-data': { schema: objectOf({ file: binary }) } } },
      status: 201,
      response: { description: 'The stored file.', content: json(objectOf({ data: addFile(components) })) },
    },
  ];
}

/** The body and the response of a call that creates, changes and deletes records together. */
function bulkSchemas(
  { names, record, input, change }: Subject,
  resources: readonly Resource[],
  components: Components,
): Pick<Call, 'body' | 'response'> {
  const items = (schema: object, description: string) => listOf(schema, { maxItems: maxBulkOperations, description });
  const canDelete = resources.some(({ types }) => types.may('delete'));
  const schema = components.add('schemas', names.bulk, {
    type: 'object',
    description:
      `At most ${maxBulkOperations} records together, in one transaction: changes first, then deletions, then new ` +
      'records. If one is refused, nothing is stored, and `errors` has all faults by their place, such as `update[3].name`.',
    properties: {
      ...(input && { create: items(input, 'New records.') }),
      ...(change && {
        update: items({ allOf: [change], required: ['id'] }, 'Changes: fields left out keep their values.'),
      }),
      ...(canDelete && { delete: items(recordId, 'Ids of records to delete.') }),
    },
    additionalProperties: false,
  });
  const lists = { created: listOf(record), updated: listOf(record), deleted: listOf(recordId) };
  return {
    body: components.add('requestBodies', names.bulk, { required: true, content: json(schema) }),
    response: components.add('responses', names.bulk, {
      description: 'As stored, each list in the order of the body.',
      content: json(objectOf({ data: objectOf(lists) })),
    }),
  };
}

function deletionVerb(resources: readonly Resource[]): string {
  const verbs = resources.map(({ definition }) => (definition.archive ? 'Archive' : 'Delete'));
  return new Set(verbs).size === 1 ? verbs[0]! : 'Delete or archive';
}

const fieldsOf = (resources: readonly Resource[]): Field[] =>
  resources.flatMap(({ definition }) => Object.values(definition.fields));

/** The relations whose possible values a form of the resource lists, if the caller has one. */
function chosenFields({ definition, types }: Resource): Field[] {
  if (!types.may('create') && !types.may('edit')) return [];
  return Object.values(definition.fields).filter((field) => field.to && !field.system);
}

const distinctNames = (fields: readonly { readonly name: string }[]): string[] => [
  ...new Set(fields.map(({ name }) => name)),
];

const namesSchema = (names: readonly string[]) => ({ type: 'string', enum: names });

const fieldInPath = (fields: readonly Field[]) => inPath('field', namesSchema(distinctNames(fields)));

function fieldOfChoices(names: readonly string[], isRequired: boolean): Json {
  return inQuery(
    'field',
    'The field whose possible values are listed. Other fields of the record may be sent beside it.',
    namesSchema(names),
    { ...(isRequired && { required: isRequired }) },
  );
}

/** Labels stand anywhere in a sentence, also first. */
function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
