import { Type } from 'typebox';
import type { FastifyInstance } from 'fastify';
import type { Program } from '../program';
import { loadSharedRecord } from '../records/write/share-link';
import { dataOf, defineCall, nullable, typedApi } from '../routing/define-call';

const sharedField = Type.Object({
  name: Type.String(),
  label: Type.String(),
  type: Type.String(),
  width: Type.String(),
  value: Type.Unknown(),
  text: Type.String(),
});
const sharedRecordCall = defineCall({
  id: 'shared-record',
  tag: 'Share links',
  summary: 'The record behind a public link, with the fields that its definition shares; null if there is none',
  scope: 'public',
  body: Type.Object({ path: Type.String(), link: Type.String() }),
  answer: dataOf(
    nullable(Type.Object({ label: Type.String(), title: Type.String(), fields: Type.Array(sharedField) })),
  ),
});

/**
 * `POST shared-records` `{path, link}`: the record behind `/{path}/{link}`, without signing in. The response to an
 * invalid or revoked link is `{"data": null}`, without a reason.
 */
export function registerSharedRecords(app: FastifyInstance, program: Program): void {
  typedApi(app).post('/shared-records', sharedRecordCall, async (request) => {
    const { path, link } = request.body;
    return { data: await loadSharedRecord(program, path, link) };
  });
}
