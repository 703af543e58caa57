import { createHash, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { FastifyRequest } from 'fastify';
import { Upload } from '../files/upload';
import type { Body } from '../records/input';

const slowHash = promisify<string, string, number, Buffer>(scrypt);
/** Names of values that could be guessed from a fast hash. */
const secretNames = /passw|secret|code|token/i;

/**
 * Hashes a request: its method, URL and whole body, files included. A body with a password is hashed slowly and with
 * `salt`, so that the hash does not reveal the password.
 */
export async function fingerprintOf(
  { method, url }: FastifyRequest,
  body: Body | undefined,
  salt: string,
): Promise<Buffer> {
  const values: [string, unknown][] = [];
  for (const [name, value] of Object.entries(body?.values ?? {})) {
    values.push([name, value instanceof Upload ? await fileFingerprint(value) : value]);
  }
  const said = JSON.stringify([method, url, body?.text ?? false, values]);
  if (values.some(([name, value]) => secretNames.test(name) && value)) return slowHash(said, salt, 32);
  return createHash('sha256').update(said).digest();
}

async function fileFingerprint(upload: Upload): Promise<object> {
  const content = createHash('sha256')
    .update(await upload.bytes())
    .digest('base64');
  return { file: upload.name, content };
}
