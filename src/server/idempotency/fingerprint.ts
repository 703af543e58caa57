import { createHash, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { FastifyRequest } from 'fastify';
import { Upload } from '../files/upload';
import type { Body } from '../records/input';

const slowHash = promisify<string, string, number, Buffer>(scrypt);
/** Names of values that somebody could guess from a quick hash. */
const guessable = /passw|secret|code|token/i;

/**
 * What a call asks for, as a hash: its method and address, and all that its body holds, files included. A body with a
 * password is hashed slowly and with `salt`, so that nobody finds the password by the hash.
 */
export async function fingerprintOf(
  { method, url }: FastifyRequest,
  body: Body | undefined,
  salt: string,
): Promise<Buffer> {
  const values: [string, unknown][] = [];
  for (const [name, value] of Object.entries(body?.values ?? {})) {
    values.push([name, value instanceof Upload ? await fileOf(value) : value]);
  }
  const said = JSON.stringify([method, url, body?.text ?? false, values]);
  if (values.some(([name, value]) => guessable.test(name) && value)) return slowHash(said, salt, 32);
  return createHash('sha256').update(said).digest();
}

async function fileOf(upload: Upload): Promise<object> {
  const content = createHash('sha256')
    .update(await upload.bytes())
    .digest('base64');
  return { file: upload.name, content };
}
