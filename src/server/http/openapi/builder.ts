import type { Actor } from '../../../engine/access/actor';
import type { Registry } from '../../../engine/registry/registry';
import { errorCodes } from '../../errors/codes';
import { json, text, typeName, type Json } from './schema-parts';

/** A reference to a named part of the document. */
export interface Reference {
  readonly $ref: string;
}

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

interface Operation {
  readonly summary: string;
  readonly security?: readonly Json[];
  readonly requestBody?: { readonly content: Json };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Json }>> }>
  >;
}

const kinds = ['schemas', 'parameters', 'requestBodies', 'responses'] as const;
type Kind = (typeof kinds)[number];

/**
 * An OpenAPI document for one caller as it grows: its calls, and the named parts that they refer to, to which tools that
 * generate types give the same names.
 *
 * @example
 *   const builder = new DocumentBuilder(actor, registry, false);
 *   builder.add('schemas', 'Task', { type: 'object', … }); // { $ref: '#/components/schemas/Task' }
 */
export class DocumentBuilder {
  readonly paths: Record<string, Record<string, unknown>> = {};
  private readonly parts = new Map<string, string>();
  private readonly typeNames: ReadonlyMap<string, string>;

  /** With `isGeneric`, calls that all or several resources have are written once, with the resource as a parameter. */
  constructor(
    readonly actor: Actor,
    readonly registry: Registry,
    readonly isGeneric: boolean,
  ) {
    this.typeNames = typeNames(registry);
  }

  /** The name of a resource's records as a type, as in `Task`. */
  typeOf(resource: string): string {
    return this.typeNames.get(resource)!;
  }

  /** Adds a part under a name, or under the name with a number if another part has it already. */
  add(kind: Kind, name: string, part: object): Reference {
    const text = JSON.stringify(part);
    let key = `${kind}/${name}`;
    for (let number = 2; (this.parts.get(key) ?? text) !== text; number += 1) key = `${kind}/${name}${number}`;
    this.parts.set(key, text);
    return { $ref: `#/components/${key}` };
  }

  /**
   * Adds a part that several paths may have: under the shared name if that is free or names the same part, otherwise
   * under the own name.
   */
  share(kind: Kind, sharedName: string, ownName: string, part: object): Reference {
    const text = JSON.stringify(part);
    return this.add(kind, (this.parts.get(`${kind}/${sharedName}`) ?? text) === text ? sharedName : ownName, part);
  }

  /** Adds a part under a name, unless one that says the same has another name. */
  reuse(kind: Kind, name: string, part: object): Reference {
    const text = JSON.stringify(part);
    const equalPart = [...this.parts].find(([key, partText]) => partText === text && key.startsWith(`${kind}/`));
    return equalPart ? { $ref: `#/components/${equalPart[0]}` } : this.add(kind, name, part);
  }

  /** Adds a call. Where the path has the method already, it then accepts what either does. */
  addCall({ pathParameters = [], method, path, ...call }: Call): void {
    const { id, tag, summary, description, scopes, parameters = [], body, status = 200, response } = call;
    const methods = (this.paths[path] ??= pathParameters.length > 0 ? { parameters: pathParameters } : {});
    const operation = {
      operationId: id,
      tags: [tag],
      summary,
      ...(scopes && { security: scopes.map((scope) => ({ bearer: [scope] })) }),
      ...(description !== undefined && { description }),
      ...(parameters.length > 0 && { parameters }),
      ...(body && { requestBody: body }),
      responses: { [status]: response, '4XX': this.addProblem() },
    } as unknown as Operation;
    const operationBefore = methods[method] as Operation | undefined;
    methods[method] = operationBefore ? eitherOperation(operationBefore, operation) : operation;
  }

  /** Adds the response of failed calls, which every operation has. */
  addProblem(): Reference {
    const content = json(this.add('schemas', 'Problem', problem));
    return this.add('responses', 'Problem', { description: problemDescription, content });
  }

  /** All named parts, by their kind. */
  components(): Readonly<Record<string, Json>> {
    const components: Record<string, Json> = Object.fromEntries(kinds.map((kind) => [kind, {}]));
    for (const [key, partText] of this.parts) {
      const separatorIndex = key.indexOf('/');
      components[key.slice(0, separatorIndex)]![key.slice(separatorIndex + 1)] = JSON.parse(partText);
    }
    return components;
  }
}

/** Names of types by resource: that of one record, or that of the resource where two are called the same. */
function typeNames(registry: Registry): ReadonlyMap<string, string> {
  const definitions = [...registry.definitions.values()];
  const names = definitions.map(({ labels }) => typeName(labels.one));
  return new Map(
    definitions.map(({ name }, index) => {
      const label = names[index]!;
      const isFree = label !== '' && names.indexOf(label) === names.lastIndexOf(label);
      return [name, isFree ? label : typeName(name) || `Resource${index + 1}`];
    }),
  );
}

/** A call that does one or the other, depending on what is sent. */
function eitherOperation(first: Operation, second: Operation): Operation {
  const responses = { ...first.responses };
  for (const [status, response] of Object.entries(second.responses)) {
    const schemas = [responses[status], response].map((part) => part?.content?.['application/json']?.schema);
    const content = schemas.every(Boolean) && (json({ anyOf: schemas }) as Record<string, { schema: Json }>);
    responses[status] = { ...response, ...(content && { content }) };
  }
  return {
    ...first,
    summary: `${first.summary}; or: ${second.summary}`,
    ...(first.security && second.security && { security: [...first.security, ...second.security] }),
    requestBody: { ...first.requestBody, content: { ...first.requestBody?.content, ...second.requestBody?.content } },
    responses,
  };
}

const problem = {
  type: 'object',
  required: ['message', 'code'],
  properties: {
    message: { type: 'string', description: 'Message for the user.' },
    code: {
      type: 'string',
      enum: Object.keys(errorCodes),
      description: Object.entries(errorCodes)
        .map(([code, meaning]) => `${code}: ${meaning}`)
        .join('\n'),
    },
    errors: { type: 'object', additionalProperties: text, description: 'Messages by field.' },
  },
};

/** One schema for all calls that fail, described by status. */
const problemDescription =
  '400: the query or body is malformed; 401: not signed in; 403: you can see it, but you have no permission to do this; ' +
  '404: no such record, or you have no access to it; 409: changed in the meantime, still referenced, or archived; ' +
  '413: too large; 415: neither JSON nor a form; 422: invalid fields, all of them; 429: too many requests.';
