import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { isShownPicture } from '../../engine/field-types/stored-files';
import { defineCall, file, typedApi } from '../routing/define-call';
import { NotFound, Forbidden } from '../errors/errors';
import type { Program } from '../program';

const cacheSeconds = 600;

const fileCall = defineCall({
  id: 'file',
  tag: 'Files',
  summary: 'A file, by the signed URL that its record contains',
  scope: 'public',
  params: Type.Object({ key: Type.String() }),
  querystring: Type.Object({}, { additionalProperties: true, description: 'As in the signed URL.' }),
  answer: file,
  answerType: 'application/octet-stream',
});

/**
 * `GET files/{key}?expires&signature`: a file for anybody with a valid signed URL, since browsers send no token for
 * images. Browsers must not guess its type or run anything in it.
 */
export function registerFiles(api: FastifyInstance, { files }: Program): void {
  typedApi(api).get('/files/:key', fileCall, async (request, reply) => {
    const { key } = request.params;
    const address = files.verifyUrl(key, { ...request.query });
    if (address === 'foreign') throw new NotFound();
    if (address === 'expired') throw new Forbidden('This link has expired. Reload the page it came from.');
    const storedFile = await files.find(key);
    if (!storedFile) throw new NotFound();
    const content = await files.open(key);
    if (!content) throw new NotFound();
    const disposition = isShownPicture(storedFile) ? 'inline' : 'attachment';
    return reply
      .type(storedFile.type)
      .header('Content-Length', storedFile.size)
      .header('Content-Disposition', `${disposition}; filename*=UTF-8''${encodeFileName(storedFile.name)}`)
      .header('X-Content-Type-Options', 'nosniff')
      .header('Content-Security-Policy', "default-src 'none'; sandbox")
      .header('Cache-Control', `private, max-age=${cacheSeconds}`)
      .send(content);
  });
}

/** Encodes a name for headers (RFC 5987). */
function encodeFileName(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
