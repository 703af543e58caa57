import type { FastifyInstance } from 'fastify';
import { BadRequest } from '../errors/errors';
import type { Program } from '../program';
import { sharedRecord } from '../records/shared-record';
import { described } from './described';
import { readBody } from './read-body';
import { data, listOf, object, text } from './schemas';

const sharedField = object({ name: text, label: text, type: text, width: text, value: {}, text });
const call = described({
  id: 'shared-record',
  tag: 'Share links',
  summary: 'The record behind a public link, with the fields that its definition shares; null if there is none',
  open: true,
  body: object({ path: text, link: text }, ['path', 'link']),
  answer: data({
    ...object({ label: text, title: text, fields: listOf(sharedField) }),
    type: ['object', 'null'],
  }),
});

/**
 * `POST shared-records` `{path, link}`: the record behind `/{path}/{link}`, without signing in. The response to an
 * invalid or revoked link is `{"data": null}`, without a reason.
 */
export function registerSharedRecords(app: FastifyInstance, program: Program): void {
  app.post('/shared-records', call, async (request) => {
    const { path, link } = (await readBody(request)).values;
    if (typeof path !== 'string' || typeof link !== 'string') throw new BadRequest('path and link must be strings.');
    return { data: await sharedRecord(program, path, link) };
  });
}
