import { maxId } from '../../engine/field-types/relation';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  Type,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  type TStringOptions,
} from 'typebox';
import { isGranted } from '../../engine/access/access-decision';
import { passwordPattern } from '../../engine/field-types/password';
import { maxPasswordLength, minPasswordLength } from '../../engine/passwords/rule';
import type { JsonLimits } from '../../engine/values/bounded-json';
import type { CallDescription } from './call-description';
import type { CallScope } from './call-scope';

/** The API whose handlers get the types of their call's schemas: `api.withTypeProvider<TypeBoxTypeProvider>()`. */
type TypedApi = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** The parts of a request that a caller sends. */
interface CallSchemas {
  /** The parameters in the path; an integer arrives as a number, and anything else in its place is not found. */
  readonly params?: TObject;
  /** The query: every value is a text, except that integers are ids and arrive as numbers. */
  readonly querystring?: TObject;
  /** The JSON body; a missing one counts as `{}`. */
  readonly body?: TObject;
}

/** Who may make a call: those with a grant, or those that a scope says. A call without either does not compile. */
type CallAccess =
  | { readonly grant: NonNullable<CallDescription['grant']>; readonly scope?: 'person' }
  | { readonly grant?: undefined; readonly scope: CallScope };

/** The declaration of a call: who may make it, what it accepts and answers, and its documentation. */
export type CallDeclaration = CallAccess &
  CallSchemas &
  Omit<CallDescription, keyof CallSchemas | 'grant' | 'scope'> & {
    /** See `FastifyContextConfig`. */
    readonly once?: boolean;
    readonly atomic?: boolean;
    readonly json?: Partial<JsonLimits>;
  };

/**
 * Declares a call once: the schemas validate requests, give the handler its types, and are the call's part of the API
 * document. Messages begin with the `title` of a property, or its name; `errorMessage` next to a schema replaces all
 * messages about its value except that it is missing. A `grant` is needed by every caller; where no single one decides,
 * `scope` says who may call, with which scopes too (`CallScope`).
 *
 * @example
 *   const rename = defineCall({
 *     id: 'rename-thing',
 *     tag: 'Things',
 *     summary: 'Rename a thing',
 *     grant: { resource: 'things', action: 'edit' },
 *     params: Type.Object({ id: Type.Integer() }),
 *     body: Type.Object({ name: Type.String({ title: 'Name', maxLength: 50 }) }, closed),
 *     answer: Type.Object({ name: Type.String() }),
 *   });
 *   typed(api).put('/things/:id', rename, async ({ params, body }) => store(params.id, body.name));
 */
export function defineCall<const Declaration extends CallDeclaration>(declaration: Declaration) {
  const { params, querystring, body, once: isRunOnce, atomic, json, ...description } = declaration;
  const { grant } = description;
  const schema = { ...(params && { params }), ...(querystring && { querystring }), ...(body && { body }) };
  return {
    schema: schema as Pick<Declaration, Extract<keyof CallSchemas, keyof Declaration>>,
    config: {
      described: {
        ...(grant && { shownTo: (actor) => isGranted(actor, grant.resource, grant.action) }),
        ...description,
        ...schema,
      } satisfies CallDescription as CallDescription,
      ...(description.bodyType === 'multipart/form-data' && { forms: true }),
      ...(isRunOnce && { once: isRunOnce }),
      ...(atomic && { atomic }),
      ...(json && { json }),
    },
  };
}

/**
 * The same API, whose handlers get the types of their call's schemas.
 *
 * @example typedApi(api).get('/totals', calls.totals, async ({ query }) => ({ data: await count(query.project_id) }));
 */
export function typedApi(api: FastifyInstance): TypedApi {
  return api.withTypeProvider<TypeBoxTypeProvider>();
}

/** Options of an object schema: any other property is an error. */
export const closedObject = { additionalProperties: false } as const;

/**
 * Options of the body of a form: any other property is an error; texts are trimmed, except passwords; null and empty
 * texts count as left out, or as null if the property can be null; true and false can be written as 1 and 0 or
 * as words, a whole number as its digits. Names in `ignored` are accepted and dropped.
 */
export const form = { ...closedObject, form: true } as const;

/**
 * A value that can be null.
 *
 * @example nullable(Type.String()); // a text or null
 */
export function nullable<Schema extends TSchema>(schema: Schema, options?: TSchemaOptions) {
  return Type.Union([schema, Type.Null()], options);
}

/**
 * An object whose properties have any names, even those with line breaks, which the pattern of `Type.Record` lacks.
 *
 * @example recordOf(Type.Number()); // { Won: 3, Lost: 1 }
 */
export function recordOf<Schema extends TSchema>(schema: Schema, options?: TSchemaOptions) {
  return Type.Unsafe<Record<string, Static<Schema>>>({ type: 'object', additionalProperties: schema, ...options });
}

/** A text in a form that is JSON of a schema; `readJsonField` reads it. */
export function jsonText(schema: TSchema, description: string) {
  return Type.String({ description, contentMediaType: 'application/json', contentSchema: schema });
}

/** A text that is not blank. */
export function filledText(title: string, maxLength: number) {
  return Type.String({ title, minLength: 1, maxLength, pattern: '\\S' });
}

/** A text in a form. */
export function formText(title: string, options?: TStringOptions) {
  return Type.String({ title, maxLength: 255, ...options });
}

/** An email address in a form. */
export function emailText(title = 'Email') {
  return formText(title, { format: 'email' });
}

/** A password in a form. Only its length is checked here; its strength is checked where it is chosen. */
export function passwordText(title = 'Password') {
  const [minLength, maxLength] = [minPasswordLength, maxPasswordLength];
  return Type.String({ title, format: 'password', minLength, maxLength, pattern: passwordPattern });
}

/** The id of a record. */
export const id = Type.Integer({ minimum: 1, maximum: maxId });

/** The id of a record in a path: anything else is not found. */
export const idParams = Type.Object({ id });

/** The body of a call about one user. */
export const userBody = Type.Object({ user_id: id }, { ...form, ignored: ['invitationLink'] });
export type UserBody = Static<typeof userBody>;

/** A request whose path has the id of a record. */
export type IdRequest = FastifyRequest<{ Params: Static<typeof idParams> }>;

/**
 * The id of a record in a query.
 *
 * @example Type.Object({ project_id: idParameter('project_id', 'Only those of this project.') }, closed);
 */
export function idParameter(name: string, description: string) {
  return Type.Optional(Type.Integer({ ...id, description, errorMessage: `${name} must be an id.` }));
}

/** The first and the last row of a page in a query, for `parseRange`. */
export const rangeParameter = Type.Optional(
  Type.String({
    description: 'As in [0,14].',
    errorMessage: 'range must be the first and the last row, such as [0,14].',
  }),
);

/** An instant. */
export const dateTime = Type.String({ format: 'date-time' });

/** The content of a file. */
export const file = Type.String({ format: 'binary' });

/**
 * The answer of a call that wraps its result in `data`.
 *
 * @example dataOf(Type.Array(Type.Object({ id, name: Type.String() }))); // { data: [{ id: 7, name: 'Website' }] }
 */
export function dataOf<Schema extends TSchema>(schema: Schema) {
  return Type.Object({ data: schema });
}

/** The answer of an action that succeeds or says why not. */
export const outcome = outcomeOf({});

/** The answer of an action that succeeds, with these properties, or says why not. */
export function outcomeOf<Properties extends TProperties>(properties: Properties) {
  const facts = Type.Partial(Type.Object(properties)).properties;
  return Type.Object({ status: Type.Boolean(), message: Type.String(), ...facts });
}
