import { idempotencyHeader } from '../../idempotency/header';

const errorResponse = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
});
/** Errors of any call. */
export const commonErrors = {
  '400': errorResponse('The query or body is malformed.'),
  '401': errorResponse('Not signed in.'),
  '403': errorResponse('You can see it, but you have no permission to do this.'),
};
/** Errors of a call on one record. */
export const notFoundError = { '404': errorResponse('No such record, or you have no access to it.') };
/** Errors of a call that writes. */
export const writeErrors = {
  '409': errorResponse('Changed in the meantime, still referenced, or archived.'),
  '413': errorResponse('Over 5 MB.'),
  '415': errorResponse('Neither JSON nor a form.'),
  '422': errorResponse('All invalid fields.'),
};
/** The header that makes retries of a call that writes safe. */
export const idempotencyParameters = Object.entries(idempotencyHeader).map(([name, description]) => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}));
/** The id in a path. */
export const idParameter = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
