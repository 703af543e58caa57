import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Upload } from '../files/upload';
import type { Body } from '../records/input';

/** What a call asks for, as a hash: its method and address, and all that its body holds, files included. */
export async function fingerprintOf({ method, url }: FastifyRequest, body: Body | undefined): Promise<Buffer> {
  const values: [string, unknown][] = [];
  for (const [name, value] of Object.entries(body?.values ?? {})) {
    values.push([name, value instanceof Upload ? await fileOf(value) : value]);
  }
  const said = [method, url, body?.text ?? false, values];
  return createHash('sha256').update(JSON.stringify(said)).digest();
}

async function fileOf(upload: Upload): Promise<object> {
  const content = createHash('sha256')
    .update(await upload.bytes())
    .digest('base64');
  return { file: upload.name, content };
}
