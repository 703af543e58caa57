import type { FastifyInstance } from 'fastify';
import { BadRequest } from '../errors/errors';
import type { Program } from '../program';
import { loadSharedRecord } from '../records/share-link';
import { describeCall } from '../routing/call-description';
import { readBody } from '../routing/read-body';
import { dataSchema, arraySchema, objectSchema, stringSchema } from '../routing/schemas';

const sharedField = objectSchema({
  name: stringSchema,
  label: stringSchema,
  type: stringSchema,
  width: stringSchema,
  value: {},
  text: stringSchema,
});
const sharedRecordCall = describeCall({
  id: 'shared-record',
  tag: 'Share links',
  summary: 'The record behind a public link, with the fields that its definition shares; null if there is none',
  isPublic: true,
  body: objectSchema({ path: stringSchema, link: stringSchema }, ['path', 'link']),
  answer: dataSchema({
    ...objectSchema({ label: stringSchema, title: stringSchema, fields: arraySchema(sharedField) }),
    type: ['object', 'null'],
  }),
});

/**
 * `POST shared-records` `{path, link}`: the record behind `/{path}/{link}`, without signing in. The response to an
 * invalid or revoked link is `{"data": null}`, without a reason.
 */
export function registerSharedRecords(app: FastifyInstance, program: Program): void {
  app.post('/shared-records', sharedRecordCall, async (request) => {
    const { path, link } = (await readBody(request)).values;
    if (typeof path !== 'string' || typeof link !== 'string') throw new BadRequest('path and link must be strings.');
    return { data: await loadSharedRecord(program, path, link) };
  });
}
