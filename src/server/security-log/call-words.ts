import { parseId } from '../../engine/field-types/relation';
import type { FastifyRequest } from 'fastify';
import type { Registry } from '../../engine/registry/registry';

/** The calls on records, by method and template of the path: `{one}` and `{many}` are the labels of their resource, `{id}` the number. */
const recordCalls: Readonly<Record<string, string>> = {
  'GET /:resource': 'List {many}',
  'POST /:resource': 'Create {one}',
  'POST /:resource/bulk': 'Change several {many}',
  'POST /:resource/restore': 'Bring back deleted {many}',
  'POST /:resource/files': 'Upload a file for {many}',
  'GET /:resource/aggregate': 'Count {many}',
  'GET /:resource/tree': 'Count {many} by the tree',
  'GET /:resource/assignments': 'Count what is assigned to {many}',
  'GET /:resource/choices': 'Look up {many}',
  'GET /:resource/choices/:field': 'Look up choices of {many}',
  'GET /:resource/similar/:field': 'Find similar {many}',
  'GET /:resource/:id': 'Read {one} {id}',
  'GET /:resource/:id/print': 'Print {one} {id}',
  'GET /:resource/:id/uses/:field': 'Count where {one} {id} is used',
  'PUT /:resource/:id': 'Change {one} {id}',
  'PATCH /:resource/:id': 'Change {one} {id}',
  'DELETE /:resource/:id': 'Delete {one} {id}',
  'PATCH /:resource/:id/restore': 'Restore {one} {id}',
  'PATCH /:resource/restore/:id': 'Restore {one} {id}',
  'GET /:resource/:id/history': 'Read the history of {one} {id}',
  'POST /:resource/:id/history/:version/restore': 'Bring back a version of {one} {id}',
  'POST /:resource/:id/share': 'Share {one} {id} by a link',
  'DELETE /:resource/:id/share': 'Remove the share link of {one} {id}',
};

/**
 * Says in the words of the screens what a call does; of a declared call, in those of its declaration.
 *
 * @example callWords(request, registry); // 'Delete User 2'
 */
export function callWords(request: FastifyRequest, registry: Registry): string {
  const { url = '', config } = request.routeOptions;
  // A route that answers GET answers HEAD too.
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const words = recordCalls[`${method} ${url.slice('/api'.length)}`];
  if (words === undefined)
    return (
      config.described?.summary ?? (url === '' ? 'Call an address that does not exist' : `${request.method} ${url}`)
    );
  const { resource = '', id = '' } = request.params as Readonly<Record<string, string | undefined>>;
  const isDownload = url === '/api/:resource' && resource.endsWith('-export');
  const definition = registry.get(isDownload ? resource.slice(0, -'-export'.length) : resource);
  const number = parseId(id)?.toString() ?? '';
  const requestWords = request.method === 'PATCH' && !definition && wordsOfRequest(registry, resource);
  const { labels } = definition ?? { labels: { one: 'a record', many: 'records' } };
  return (requestWords || (isDownload ? 'Download {many}' : words))
    .replace('{one}', labels.one)
    .replace('{many}', labels.many)
    .replace('{id}', number)
    .trim();
}

/** The words of a request that a definition declares under a path of its own. */
function wordsOfRequest(registry: Registry, path: string): string | undefined {
  for (const { requests, labels } of registry.definitions.values()) {
    const request = Object.values(requests).find((candidate) => candidate.path === `${path}/{id}`);
    if (request) return `${request.label}: ${labels.one} {id}`;
  }
  return undefined;
}
