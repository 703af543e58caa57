import { errorCodes } from '../../errors/codes';
import { idempotencyHeader } from '../../idempotency/header';
import type { Components, Reference } from './components';

const codeList = Object.entries(errorCodes)
  .map(([code, meaning]) => `${code}: ${meaning}`)
  .join('\n');

const problem = {
  type: 'object',
  required: ['message', 'code'],
  properties: {
    message: { type: 'string', description: 'Message for the user.' },
    code: { type: 'string', enum: Object.keys(errorCodes), description: codeList },
    errors: { type: 'object', additionalProperties: { type: 'string' }, description: 'Messages by field.' },
  },
};

/** What every call answers when it fails: one schema for all of them, described by status. */
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

/** The response of every failed call. */
export function problemResponses(components: Components): Record<'4XX', Reference> {
  const schema = components.add('schemas', 'Problem', problem);
  const content = { 'application/json': { schema } };
  return { '4XX': components.add('responses', 'Problem', { description: `${problemDescription}.`, content }) };
}

/** The scopes of a call, of which service accounts that are limited to scopes need one. */
export function securityOf(scopes: readonly string[]): { readonly security: { readonly bearer: string[] }[] } {
  return { security: scopes.map((scope) => ({ bearer: [scope] })) };
}

/** The header that makes retries of a call that writes safe. */
export function idempotencyParameters(components: Components): Reference[] {
  return Object.entries(idempotencyHeader).map(([name, description]) =>
    components.add('parameters', name, {
      name,
      in: 'header',
      description,
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }),
  );
}

/** The id in a path. */
export function idParameter(components: Components): Reference {
  const schema = { type: 'integer', minimum: 1 };
  return components.add('parameters', 'id', { name: 'id', in: 'path', required: true, schema });
}
