import { idempotencyHeader } from '../idempotency/header';

const problem = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
});
/** What any call may be refused with. */
export const refusals = {
  '400': problem('The query or body cannot be read.'),
  '401': problem('Nobody is signed in.'),
  '403': problem('Seen, but not allowed.'),
};
/** What a call on one record may be refused with. */
export const missing = { '404': problem('No such record, or none that the caller may see.') };
/** What a call that writes may be refused with. */
export const broken = {
  '409': problem('Changed meanwhile, still referenced, or archived.'),
  '413': problem('Over 5 MB.'),
  '415': problem('Neither JSON nor a form.'),
  '422': problem('Fields that break a rule, all at once.'),
};
/** What makes repeating a call that writes safe. */
export const idempotencyParameters = Object.entries(idempotencyHeader).map(([name, description]) => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}));
/** The id in a path. */
export const idParameter = { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } };
