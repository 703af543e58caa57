import { idempotencyHeader } from '../idempotency/header';

const problem = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
});
/** Errors of any call. */
export const refusals = {
  '400': problem('The query or body is malformed.'),
  '401': problem('Not signed in.'),
  '403': problem('You can see it, but you have no permission to do this.'),
};
/** Errors of a call on one record. */
export const missing = { '404': problem('No such record, or you have no access to it.') };
/** Errors of a call that writes. */
export const broken = {
  '409': problem('Changed in the meantime, still referenced, or archived.'),
  '413': problem('Over 5 MB.'),
  '415': problem('Neither JSON nor a form.'),
  '422': problem('All invalid fields.'),
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
