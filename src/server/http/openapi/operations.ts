import { errorCodes } from '../../errors/codes';
import type { Components, Reference } from './components';
import { json, text, type Json } from './schema-parts';

/** A call of the API, whether it follows from definitions or is declared beside its route. */
export interface Call {
  readonly method: string;
  /** The path after `/api`, with parameters as `{id}`. */
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Of these scopes a limited service account needs one; none: the call needs no sign-in. Absent: a person makes it. */
  readonly scopes?: readonly string[];
  /** Those of all calls with this path, and those of this one. */
  readonly pathParameters?: readonly (Json | Reference)[];
  readonly parameters?: readonly (Json | Reference)[];
  readonly body?: Json | Reference;
  readonly status?: 200 | 201;
  readonly response: Json | Reference;
}

export type Paths = Record<string, Record<string, unknown>>;

/** Adds a call to the paths of a document. Where the path has the method already, it then accepts what either does. */
export function addCall(paths: Paths, call: Call, components: Components): void {
  const { pathParameters = [] } = call;
  const methods = (paths[call.path] ??= pathParameters.length > 0 ? { parameters: pathParameters } : {});
  const operationBefore = methods[call.method] as Operation | undefined;
  const operation = operationOf(call, components);
  methods[call.method] = operationBefore ? eitherOperation(operationBefore, operation) : operation;
}

interface Operation {
  readonly summary: string;
  readonly security?: readonly Json[];
  readonly requestBody?: { readonly content: Json };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Json }>> }>
  >;
}

function operationOf(call: Call, components: Components): Operation {
  const { id, tag, summary, description, scopes, parameters = [], body, status = 200, response } = call;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(scopes && { security: scopes.map((scope) => ({ bearer: [scope] })) }),
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: { [status]: response, '4XX': problemResponse(components) },
  } as unknown as Operation;
}

/** A call that does one or the other, depending on what is sent. */
function eitherOperation(first: Operation, second: Operation): Operation {
  const responses = { ...first.responses };
  for (const [status, response] of Object.entries(second.responses)) {
    const schemas = [responses[status], response].map((part) => part?.content?.['application/json']?.schema);
    responses[status] = schemas.every(Boolean)
      ? { ...response, content: json({ anyOf: schemas }) as Record<string, { schema: Json }> }
      : response;
  }
  return {
    ...first,
    summary: `${first.summary}; or: ${second.summary}`,
    ...(first.security && second.security && { security: [...first.security, ...second.security] }),
    requestBody: { ...first.requestBody, content: { ...first.requestBody?.content, ...second.requestBody?.content } },
    responses,
  };
}

const codeList = Object.entries(errorCodes)
  .map(([code, meaning]) => `${code}: ${meaning}`)
  .join('\n');

const problem = {
  type: 'object',
  required: ['message', 'code'],
  properties: {
    message: { type: 'string', description: 'Message for the user.' },
    code: { type: 'string', enum: Object.keys(errorCodes), description: codeList },
    errors: { type: 'object', additionalProperties: text, description: 'Messages by field.' },
  },
};

/** The response of every call that fails: one schema for all of them, described by status. */
const problemDescription = [
  '400: the query or body is malformed',
  '401: not signed in',
  '403: you can see it, but you have no permission to do this',
  '404: no such record, or you have no access to it',
  '409: changed in the meantime, still referenced, or archived',
  '413: too large',
  '415: neither JSON nor a form',
  '422: invalid fields, all of them',
  '429: too many requests',
].join('; ');

/** Adds the response of failed calls, which every operation has. */
export function problemResponse(components: Components): Reference {
  const schema = components.add('schemas', 'Problem', problem);
  return components.add('responses', 'Problem', { description: `${problemDescription}.`, content: json(schema) });
}
