import { isGranted } from '../../../engine/access/access-decision';
import type { Action, Definition, Field } from '../../../engine/definitions/definition';
import { exportFormats } from '../../../engine/exports/file-name';
import { isShareLink } from '../../../engine/field-types/share-link';
import { isComparedText } from '../../../engine/field-types/text';
import { narrowingFields } from '../../../engine/forms/similar-records';
import { exportTypes } from '../../exports/export-types';
import { placeField } from '../../records/read/query/order';
import { maxBulkOperations } from '../../records/write/bulk';
import { uploadFields } from '../../records/files/upload-file';
import type { Call, DocumentBuilder, Reference } from './builder';
import { addFile, formContent } from './file-schemas';
import {
  addParameters,
  addQuerySchema,
  fieldsParameter,
  listParameters,
  queryParameters,
  searchParameters,
} from './list-parameters';
import { addRequestCalls } from './request-calls';
import { addResource, type Resource } from './resources';
import {
  binary,
  inPath,
  inQuery,
  instant,
  integer,
  json,
  listOf,
  objectOf,
  partialOf,
  recordId,
  text,
  type Json,
} from './schema-parts';
import { sharedParameters, sharedResponse } from './shared-parts';

/** The records that calls are about: those of one resource, or of any, which is then a parameter of the path. */
interface Subject extends Pick<Resource, 'record' | 'input' | 'change'> {
  readonly resources: readonly Resource[];
  /** The first part of the path. */
  readonly path: string;
  readonly tag: string;
  readonly oneLabel: string;
  readonly manyLabel: string;
  /** The names of a record, of a list and of a bulk call among the named parts. */
  readonly names: { readonly one: string; readonly list: string; readonly bulk: string };
  readonly response: Reference;
  /** The property of responses that has the record; none: the response is the record. */
  readonly envelope: string | null;
  readonly envelopeParameters: readonly Reference[];
  /** The query parameters of a list, or some of them, and of a single record. */
  readonly listQuery: (parametersOf: typeof listParameters) => readonly Reference[];
  readonly fieldsOfOne: readonly Reference[];
}

/** A call on records. */
interface RecordCall extends Pick<Call, 'method' | 'id'> {
  /** The path after `/api/`. */
  readonly path: string;
  /** The actions of which its callers need one. */
  readonly needs: readonly Action[];
  /** Describes it for these resources, if the document has it, so that no part is named in vain. */
  readonly describe: (
    offered: readonly Resource[],
  ) => Partial<Pick<Call, 'id'>> &
    Pick<Call, 'summary' | 'description' | 'pathParameters' | 'parameters' | 'body' | 'status' | 'response'>;
}

/**
 * Adds the calls on records of resources, as far as the actor may make them. With generic paths, those that all resources
 * have are written once, and those that few have are left out. The schema `Resources` has the types of each then: its
 * record, its input, its change and its query. Requests of definitions always have paths of their own.
 */
export function addRecordCalls(builder: DocumentBuilder, definitions: readonly Definition[]): void {
  const addCalls = (subject: Subject) => {
    for (const call of recordCalls(builder, subject)) addRecordCall(builder, subject, call);
  };
  if (!builder.isGeneric)
    for (const definition of definitions) {
      const resource = addResource(builder, definition);
      const subject = singleSubject(builder, resource);
      addCalls(subject);
      addUploadCall(builder, definition);
      if (resource.isAllowed('edit')) addRequestCalls(builder, resource, subject.response);
    }
  else {
    const resources = definitions
      .map((definition) => addResource(builder, definition))
      .filter(({ isAllowed }) => (['list', 'view', 'create', 'edit', 'delete'] as const).some(isAllowed));
    const types = resources.map((resource) => [resource.definition.name, typesOf(builder, resource)]);
    builder.add('schemas', 'Resources', objectOf(Object.fromEntries(types) as Json));
    addCalls(genericSubject(builder, resources));
    for (const resource of resources)
      if (resource.isAllowed('edit') && Object.keys(resource.definition.requests).length > 0)
        addRequestCalls(builder, resource, recordResponse(builder, resource));
  }
}

function typesOf(builder: DocumentBuilder, resource: Resource): Json {
  const { record, input, change, isAllowed } = resource;
  const query = isAllowed('list') && { query: addQuerySchema(builder, resource) };
  return objectOf({ record, ...(input && { input }), ...(change && { change }), ...query });
}

function singleSubject(builder: DocumentBuilder, resource: Resource): Subject {
  const { definition, type } = resource;
  const { name, labels, envelope } = definition;
  const addQuery = (parametersOf: typeof listParameters) => addParameters(builder, resource, parametersOf(resource));
  return {
    ...resource,
    oneLabel: labels.one,
    manyLabel: labels.many,
    resources: [resource],
    path: name,
    tag: labels.many,
    names: { one: type, list: `${type}List`, bulk: `${type}Bulk` },
    response: recordResponse(builder, resource),
    envelope,
    envelopeParameters: envelope ? sharedParameters(builder, 'envelope') : [],
    listQuery: addQuery,
    fieldsOfOne: addQuery(() => [fieldsParameter(resource, 'one')]),
  };
}

/** Without an envelope all resources answer alike. */
function genericSubject(builder: DocumentBuilder, resources: readonly Resource[]): Subject {
  const anyOf = (name: string, kind: 'record' | 'input' | 'change') => {
    const schemas = resources.flatMap((resource) => resource[kind] ?? []);
    return builder.add('schemas', name, schemas.length > 0 ? { anyOf: schemas } : {});
  };
  const record = anyOf('AnyRecord', 'record');
  const input = anyOf('AnyInput', 'input');
  const change = anyOf('AnyChange', 'change');
  const query = sharedParameters(builder, 'query');
  return {
    resources,
    path: '{resource}',
    tag: 'Records',
    oneLabel: 'record',
    manyLabel: 'records',
    names: { one: 'Record', list: 'Records', bulk: 'Bulk' },
    record,
    ...(resources.some((resource) => resource.input) && { input }),
    ...(resources.some((resource) => resource.change) && { change }),
    response: builder.add('responses', 'Record', { description: 'A record.', content: json(record) }),
    envelope: null,
    envelopeParameters: sharedParameters(builder, 'envelope.none'),
    listQuery: () => query,
    fieldsOfOne: [],
  };
}

function recordResponse(builder: DocumentBuilder, { definition, type, record }: Resource): Reference {
  const content = json(inEnvelope(definition.envelope, record));
  return builder.add('responses', type, { description: `A ${definition.labels.one}.`, content });
}

const inEnvelope = (envelope: string | null, schema: object) => (envelope ? objectOf({ [envelope]: schema }) : schema);

function addRecordCall(builder: DocumentBuilder, subject: Subject, call: RecordCall): void {
  const { method, path, id, needs: neededActions, describe } = call;
  const isOffered = conditions[id] ?? (() => true);
  const resources = subject.resources.filter(
    (resource) => neededActions.some(resource.isAllowed) && isOffered(resource),
  );
  if (resources.length === 0) return;
  const { pathParameters: ownParameters = [], parameters = [], ...details } = describe(resources);
  const pathParameters = [...(path.includes('/{id}') ? sharedParameters(builder, 'id') : []), ...ownParameters];
  const actions = neededActions.filter((action) => resources.some(({ isAllowed }) => isAllowed(action)));
  const operation = {
    ...details,
    method,
    path: `/${path}`,
    tag: subject.tag,
    scopes: actions.map((action) => `${subject.path}.${action}`),
  };
  if (!builder.isGeneric) {
    builder.addCall({ id: `${id}-${subject.path}`, ...operation, pathParameters, parameters });
    return;
  }
  const key = neededActions.length > 1 || conditions[id] ? id : neededActions[0];
  const parameter = inPath('resource', namesSchema(resources.map(({ definition }) => definition)));
  const resource = builder.share('parameters', 'resource', `resource.${key}`, parameter);
  builder.addCall({ id, ...operation, parameters: [resource, ...pathParameters, ...parameters] });
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
  choices: (resource) => resource.isAllowed('list') || chosenFields(resource).length > 0,
  uses: (resource) => fieldsOf([resource], isConfirmed).length > 0,
  similar: (resource) => resource.isAllowed('list') && fieldsOf([resource], isComparedText).length > 0,
  share: (resource) => fieldsOf([resource], isShareLink).length > 0,
  unshare: (resource) => fieldsOf([resource], isShareLink).length > 0,
  restore: ({ definition }) => definition.archive !== null,
  assignments: ({ definition }) => definition.delete.keep,
  export: ({ definition }) => definition.export !== undefined,
};

/** The calls that resources have, of which some depend on their definitions. */
function recordCalls(builder: DocumentBuilder, subject: Subject): RecordCall[] {
  const { path, oneLabel, manyLabel, names, record, input, change, response, envelope, envelopeParameters, listQuery } =
    subject;
  builder.addProblem();
  const retries = sharedParameters(builder, 'Idempotency-Key');
  const writing = [...retries, ...envelopeParameters];
  const sentBody = (kind: 'Input' | 'Change', schema: Reference) =>
    builder.add('requestBodies', names.one + kind, {
      ...(kind === 'Change' && {
        description: 'Fields that are left out keep their values: PUT and PATCH do the same.',
      }),
      required: true,
      content: { ...json(schema), ...(!builder.isGeneric && formContent(fieldsOf(subject.resources))) },
    });
  const deletedIds = () => {
    const ids = listOf(recordId, { minItems: 1, maxItems: maxBulkOperations });
    return builder.add('schemas', 'DeletedIds', objectOf({ ids }, { additionalProperties: false }));
  };
  const edit = (summary: string, resources: readonly Resource[]) => ({
    summary,
    parameters: [
      ...writing,
      ...(resources.some(({ definition }) => placeField(definition))
        ? sharedParameters(builder, 'placement.after', 'placement.sort_by')
        : []),
    ],
    body: sentBody('Change', change!),
    response,
  });
  const successor = (resources: readonly Resource[]) =>
    resources.some(({ definition, isAllowed }) => definition.delete.keep && isAllowed('delete'))
      ? sharedParameters(builder, 'successor')
      : [];
  return [
    call('get', path, 'list', ['list'], () => ({
      summary: `List ${manyLabel}`,
      parameters: [...listQuery(listParameters), ...envelopeParameters],
      response: builder.add('responses', names.list, {
        description: 'A page of records.',
        headers: {
          'Content-Range': { description: 'As in items 0-14/1234.', schema: text },
          'X-After': {
            description: 'With after or before: the key of the last record, if others may follow.',
            schema: text,
          },
          'X-Before': {
            description: 'With after or before: the key of the first record, if others may precede it.',
            schema: text,
          },
          'X-Total-Estimated': { description: 'With total=estimate: true, if the total is an estimate.', schema: text },
        },
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
    ...(builder.isGeneric
      ? []
      : [call('put', `${path}/{id}`, 'change', ['edit'], (resources) => edit(`Change a ${oneLabel}`, resources))]),
    call('patch', `${path}/{id}`, 'patch', ['edit'], (resources) => edit(`Change fields of a ${oneLabel}`, resources)),
    call('delete', `${path}/{id}`, 'delete', ['delete'], (resources) => ({
      summary: `${deletionVerb(resources)} a ${oneLabel}`,
      parameters: [...writing, ...successor(resources)],
      response,
    })),
    call('get', `${path}/{id}/history`, 'history', ['view'], () => ({
      summary: `What changed in a ${oneLabel}`,
      response: sharedResponse(builder, 'History'),
    })),
    call('get', `${path}/{id}/print`, 'print', ['view'], () => ({
      summary: `A page of a ${oneLabel} to print`,
      response: builder.add('responses', 'PrintedPage', {
        description: 'The page as HTML without scripts, for A4 or Letter.',
        content: { 'text/html': { schema: text } },
      }),
    })),
    call('post', `${path}/{id}/history/{version}/restore`, 'restore_version', ['edit'], () => ({
      summary: `Bring back a version of a ${oneLabel}`,
      pathParameters: [
        {
          ...inPath('version', integer),
          description: 'The id of a change in the history: the fields get the values that they had after it.',
        },
      ],
      parameters: writing,
      body: {
        content: json(partialOf({ updated_at: { ...instant, description: 'The version that you last saw.' } })),
      },
      response,
    })),
    call('post', `${path}/bulk`, 'bulk', ['create', 'edit', 'delete'], (resources) => ({
      summary: `Create, change and delete ${manyLabel}, all of them or none`,
      parameters: [...retries, ...subject.fieldsOfOne, ...successor(resources)],
      ...bulkSchemas(builder, subject, resources),
    })),
    call('post', `${path}/restore`, 'undelete', ['delete'], () => ({
      summary: `Bring back ${manyLabel} that you deleted within the last hour, all of them or none`,
      parameters: retries,
      body: { required: true, content: json(deletedIds()) },
      response: { description: 'As they are now.', content: json(objectOf({ data: listOf(record) })) },
    })),
    call('get', `${path}/choices`, 'choices', ['list', 'create', 'edit'], (resources) => {
      const hasList = resources.some(({ isAllowed }) => isAllowed('list'));
      const fields = resources.flatMap(chosenFields);
      const offers = [
        ...(hasList ? [`${manyLabel} as filters offer them`] : []),
        ...(fields.length > 0 ? [`the possible values of a field of a ${oneLabel}`] : []),
      ];
      const text = 'The field whose possible values are listed. Other fields of the record may be sent beside it.';
      const field = inQuery('field', text, namesSchema(fields), hasList ? {} : { required: true });
      return {
        summary: sentence(`${offers.join(', or ')}: ids and titles`),
        parameters: [
          ...(fields.length > 0 ? [field] : []),
          ...sharedParameters(builder, 'choices.q', 'range', 'choices.near', 'choices.default', 'choices.referred_by'),
        ],
        response: sharedResponse(builder, 'Choices'),
      };
    }),
    call('get', `${path}/{id}/uses/{field}`, 'uses', ['view'], (resources) => ({
      summary: `In how many records ${builder.isGeneric ? 'a record is' : `${manyLabel.toLowerCase()} are`} used`,
      pathParameters: [inPath('field', namesSchema(fieldsOf(resources, isConfirmed)))],
      response: sharedResponse(builder, 'Uses'),
    })),
    call('get', `${path}/similar/{field}`, 'similar', ['create', 'edit'], (resources) => ({
      summary: sentence(`${manyLabel} with a similar text, the most similar first`),
      parameters: [
        inPath('field', namesSchema(fieldsOf(resources, isComparedText))),
        ...sharedParameters(builder, 'similar.text', 'similar.record'),
        ...namesOf(resources.flatMap(({ definition }) => narrowingFields(definition))).map((name) =>
          inQuery(name, 'Only records with the same.', integer),
        ),
      ],
      response: sharedResponse(builder, 'Similar'),
    })),
    call('get', `${path}/aggregate`, 'aggregate', ['list'], () => ({
      summary: `Count ${manyLabel} and add up their fields, by groups`,
      description: `Of the records that the list has for you. ${filterText}`,
      parameters: [
        ...sharedParameters(
          builder,
          'aggregate.group',
          'aggregate.take',
          'aggregate.sort_by',
          'aggregate.totals',
          'range',
        ),
        ...listQuery(searchParameters),
      ],
      response: sharedResponse(builder, 'Groups'),
    })),
    ...[['post', 'share', 'Create a new'] as const, ['delete', 'unshare', 'Remove the'] as const].map(
      ([method, id, verb]) =>
        call(method, `${path}/{id}/share`, id, ['edit'], () => ({
          summary: `${verb} share link of a ${oneLabel}`,
          parameters: writing,
          response,
        })),
    ),
    ...(builder.isGeneric ? [] : ownCalls(builder, subject)),
  ];
}

/** The calls of which documents with generic paths say nothing. */
function ownCalls(
  builder: DocumentBuilder,
  { resources, response, envelopeParameters, listQuery }: Subject,
): RecordCall[] {
  const { name, labels, fields, list, export: exportDefinition, exports = {} } = resources[0]!.definition;
  const tree = builder.registry.get(fields[list.tree?.[0] ?? '']?.to ?? '');
  const calls = [
    call('patch', `${name}/{id}/restore`, 'restore', ['edit'], () => ({
      summary: `Restore a ${labels.one}`,
      parameters: [...sharedParameters(builder, 'Idempotency-Key'), ...envelopeParameters],
      response,
    })),
    call('get', `${name}/assignments`, 'assignments', ['delete'], () => ({
      summary: `How many records are assigned to ${labels.many}`,
      parameters: [inQuery('id', 'Ids, separated by commas.', { ...text, examples: ['7', '7,9'] }, { required: true })],
      response: sharedResponse(builder, 'Assignments'),
    })),
  ];
  if (tree && isGranted(builder.actor, tree.name, 'list'))
    calls.push(
      call('get', `${name}/tree`, 'tree', ['list'], () => ({
        summary: `Count ${labels.many} by the tree of ${tree.labels.many}`,
        description:
          'Counted within the records that the list with the same filters has for you; a filter by a branch (`tree`) is left out.',
        parameters: listQuery(searchParameters),
        response: sharedResponse(builder, 'Tree'),
      })),
    );
  if (!exportDefinition) return calls;
  const file = (types: readonly string[]) => ({
    description: 'The file. X-Total is the number of its rows.',
    content: Object.fromEntries(types.map((type) => [type, { schema: binary }])),
  });
  // The export of this list has parts of its own where it has formats of its own.
  const formats = Object.keys(exportDefinition.formats ?? {});
  const [partName, fileName] = formats.length > 0 ? [`export-${name}`, `${name}-file`] : ['export', 'Spreadsheet'];
  const formatSchema = { type: 'string', enum: [...exportFormats, ...formats], default: exportFormats[0] };
  const fileTypes = exportFormats.map((format) => exportTypes[format]);
  return [
    ...calls,
    call('get', exportDefinition.path, 'export', ['list'], () => ({
      summary: `Download ${labels.many}`,
      description: filterText,
      parameters: [
        builder.add('parameters', `${partName}.format`, inQuery('format', undefined, formatSchema)),
        ...sharedParameters(builder, 'export.columns', 'export.ids'),
        ...listQuery(queryParameters),
      ],
      response: builder.add(
        'responses',
        fileName,
        file(formats.length > 0 ? [...fileTypes, 'application/octet-stream'] : fileTypes),
      ),
    })),
    ...Object.entries(exports).map(([key, { label, format }]) =>
      call('get', `${exportDefinition.path}/${key}`, 'export', ['list'], () => ({
        id: `export-${name}-${key}`,
        summary: `Download ${labels.many} for ${label}`,
        description: `The columns and their format are those of the definition. ${filterText}`,
        parameters: listQuery(queryParameters),
        response: file([exportTypes[format]]),
      })),
    ),
  ];
}

const filterText = 'Every filter of the list can be used here too, by its name.';

/** The upload of a file before its record is saved, for callers who may write a field with several files. */
function addUploadCall(builder: DocumentBuilder, definition: Definition): void {
  const { name, labels } = definition;
  const fields = uploadFields(builder, definition);
  if (fields.length === 0) return;
  const field = inQuery('field', 'The field that it is for.', namesSchema(fields), { required: true });
  builder.addCall({
    method: 'post',
    path: `/${name}/files`,
    id: `upload-${name}`,
    tag: labels.many,
    summary: `Upload a file for a ${labels.one} that is saved later`,
    description: 'Sent as a value of the field within a day, it becomes the file of that record.',
    scopes: [`${name}.create`, `${name}.edit`],
    parameters: [field],
    body: { required: true, content: { 'multipart/form-data': { schema: objectOf({ file: binary }) } } },
    status: 201,
    response: { description: 'The stored file.', content: json(objectOf({ data: addFile(builder) })) },
  });
}

/** The body and the response of a call that creates, changes and deletes records together. */
function bulkSchemas(
  builder: DocumentBuilder,
  { names, record, input, change }: Subject,
  resources: readonly Resource[],
): Pick<Call, 'body' | 'response'> {
  const items = (schema: object, description: string) => listOf(schema, { maxItems: maxBulkOperations, description });
  const schema = builder.add('schemas', names.bulk, {
    type: 'object',
    description:
      `At most ${maxBulkOperations} records together, in one transaction: changes first, then deletions, then new ` +
      'records. If one is refused, nothing is stored, and `errors` has all faults by their place, such as `update[3].name`.',
    properties: {
      ...(input && { create: items(input, 'New records.') }),
      ...(change && {
        update: items({ allOf: [change], required: ['id'] }, 'Changes: fields left out keep their values.'),
      }),
      ...(resources.some(({ isAllowed }) => isAllowed('delete')) && {
        delete: items(recordId, 'Ids of records to delete.'),
      }),
    },
    additionalProperties: false,
  });
  const lists = { created: listOf(record), updated: listOf(record), deleted: listOf(recordId) };
  return {
    body: builder.add('requestBodies', names.bulk, { required: true, content: json(schema) }),
    response: builder.add('responses', names.bulk, {
      description: 'As stored, each list in the order of the body.',
      content: json(objectOf({ data: objectOf(lists) })),
    }),
  };
}

function deletionVerb(resources: readonly Resource[]): string {
  const verbs = resources.map(({ definition }) => (definition.archive ? 'Archive' : 'Delete'));
  return new Set(verbs).size === 1 ? verbs[0]! : 'Delete or archive';
}

const isConfirmed = ({ confirmChangesOf }: Field): boolean => Boolean(confirmChangesOf);

const fieldsOf = (resources: readonly Resource[], matches: (field: Field) => boolean = () => true): Field[] =>
  resources.flatMap(({ definition }) => Object.values(definition.fields).filter(matches));

/** The relations whose possible values a form of the resource lists, if the caller has one. */
function chosenFields(resource: Resource): Field[] {
  if (!resource.isAllowed('create') && !resource.isAllowed('edit')) return [];
  return fieldsOf([resource], (field) => Boolean(field.to) && !field.system);
}

const namesOf = (parts: readonly { readonly name: string }[]) => [...new Set(parts.map(({ name }) => name))];

const namesSchema = (parts: readonly { readonly name: string }[]) => ({ type: 'string', enum: namesOf(parts) });

/** Labels stand anywhere in a sentence, also first. */
const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
