import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Type, type TObject, type TSchema, type TSchemaOptions } from 'typebox';
import type { CallDescription } from './call-description';

/** The API whose handlers get the types of their call's schemas: `api.withTypeProvider<TypeBoxTypeProvider>()`. */
type TypedApi = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** What a caller sends, part by part. */
interface CallSchemas {
  /** The parameters in the path; an integer arrives as a number, and anything else in its place is not found. */
  readonly params?: TObject;
  /** The query: every value is a text. */
  readonly querystring?: TObject;
  /** The JSON body; a missing one counts as `{}`. */
  readonly body?: TObject;
}

/** The declaration of a call: what it accepts and answers, and its documentation. */
export interface CallDeclaration
  extends CallSchemas, Omit<CallDescription, keyof CallSchemas | 'query' | 'form' | 'answer'> {
  readonly answer: TSchema;
  /** See `FastifyContextConfig`. */
  readonly once?: boolean;
  readonly atomic?: boolean;
}

/**
 * Declares a call once: the schemas validate requests, give the handler its types, and are the call's part of the API
 * document. Messages begin with the `title` of a property, or its name; `errorMessage` next to a schema replaces all
 * messages about its value except that it is missing.
 *
 * @example
 *   const rename = defineCall({
 *     id: 'rename-thing',
 *     tag: 'Things',
 *     summary: 'Rename a thing',
 *     params: Type.Object({ id: Type.Integer() }),
 *     body: Type.Object({ name: Type.String({ title: 'Name', maxLength: 50 }) }, closed),
 *     answer: Type.Object({ name: Type.String() }),
 *   });
 *   typed(api).put('/things/:id', rename, async ({ params, body }) => store(params.id, body.name));
 */
export function defineCall<const Declaration extends CallDeclaration>(declaration: Declaration) {
  const { params, querystring, body, once, atomic, ...description } = declaration;
  const schema = { ...(params && { params }), ...(querystring && { querystring }), ...(body && { body }) };
  return {
    schema: schema as Pick<Declaration, Extract<keyof CallSchemas, keyof Declaration>>,
    config: {
      described: { ...description, ...schema } as CallDescription,
      ...(once && { once }),
      ...(atomic && { atomic }),
    },
  };
}

/** The same API, whose handlers get the types of their call's schemas. */
export function typed(api: FastifyInstance): TypedApi {
  return api.withTypeProvider<TypeBoxTypeProvider>();
}

/** Options of an object schema: any other property is an error. */
export const closed = { additionalProperties: false } as const;

/** A value that can be null. */
export function nullable<Schema extends TSchema>(schema: Schema, options?: TSchemaOptions) {
  return Type.Union([schema, Type.Null()], options);
}

/** A text that is not blank. */
export function filledText(title: string, maxLength: number) {
  return Type.String({ title, minLength: 1, maxLength, pattern: '\\S' });
}

/** The id of a record in a path: anything else is not found. */
export const idParams = Type.Object({ id: Type.Integer({ minimum: 1 }) });

/** An instant. */
export const dateTime = Type.String({ format: 'date-time' });

/** The answer of a call that wraps its result in `data`. */
export function dataOf<Schema extends TSchema>(schema: Schema) {
  return Type.Object({ data: schema });
}
