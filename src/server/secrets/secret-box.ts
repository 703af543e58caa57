import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../settings/settings';
import { firstOf, requireValue } from '../../engine/values/lookups';

/** Encrypts secrets that have to be read again, so that access to the database alone does not reveal them. */
export interface SecretBox {
  /** Encrypts a secret for a context, such as `authenticator of 5`: it cannot be decrypted for another one. */
  encrypt(secret: string, place: string): Buffer;
  /** Decrypts a secret of a context, with the current key or a previous one. */
  decrypt(sealed: Buffer, place: string): string;
  /** Whether it was encrypted with a previous key and should be encrypted again. */
  isPreviousKey(sealed: Buffer): boolean;
  /** The hashes of a short code: with the current key first, then with previous ones. */
  hashes(code: string): Buffer[];
}

const keyLength = 32;
const markLength = 4;
const ivLength = 12;
const tagLength = 16;
const boxes = new WeakMap<object, Promise<SecretBox>>();

/**
 * The secret box of a program: with the keys of SECRET_KEYS, otherwise with one in the data folder, which is created on
 * first use.
 */
export function secretBoxOf(settings: Pick<Settings, 'dataDir' | 'secretKeys'>): Promise<SecretBox> {
  let box = boxes.get(settings);
  if (!box) {
    const keys = settings.secretKeys ? Promise.resolve(settings.secretKeys) : loadFolderKey(settings.dataDir);
    box = keys.then(createSecretBox);
    boxes.set(settings, box);
    box.catch(() => boxes.delete(settings));
  }
  return box;
}

/** Creates a secret box with these 32-byte keys: the first one encrypts, the others are previous ones. */
function createSecretBox(keys: readonly (Buffer | string)[]): SecretBox {
  const knownKeys = keys.map((key) => ({ key: Buffer.from(key as Buffer), mark: keyMark(Buffer.from(key as Buffer)) }));
  const currentKey = firstOf(knownKeys);
  return {
    encrypt(secret, secretContext) {
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv('aes-256-gcm', currentKey.key, iv).setAAD(Buffer.from(secretContext));
      const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([currentKey.mark, iv, cipher.getAuthTag(), ciphertext]);
    },
    decrypt(encryptedSecret, secretContext) {
      const matchingKey = knownKeys.find(({ mark }) => mark.equals(encryptedSecret.subarray(0, markLength)));
      if (!matchingKey) {
        throw new Error(
          'A secret was encrypted with a key that this server does not have: SECRET_KEYS must list the same keys on every server, the current one first, then previous ones.',
        );
      }
      const iv = encryptedSecret.subarray(markLength, markLength + ivLength);
      const tag = encryptedSecret.subarray(markLength + ivLength, markLength + ivLength + tagLength);
      const cipher = createDecipheriv('aes-256-gcm', matchingKey.key, iv)
        .setAAD(Buffer.from(secretContext))
        .setAuthTag(tag);
      return (
        cipher.update(encryptedSecret.subarray(markLength + ivLength + tagLength), undefined, 'utf8') +
        cipher.final('utf8')
      );
    },
    isPreviousKey: (encryptedSecret) => !currentKey.mark.equals(encryptedSecret.subarray(0, markLength)),
    hashes: (code) => knownKeys.map(({ key }) => createHmac('sha256', key).update(`code ${code}`).digest()),
  };
}

function keyMark(key: Buffer): Buffer {
  return createHash('sha256').update('mark ').update(key).digest().subarray(0, markLength);
}

async function loadFolderKey(folder: string): Promise<Buffer[]> {
  const file = join(folder, 'secret.key');
  const storedKey = await readKey(file);
  if (storedKey) return [storedKey];
  await mkdir(folder, { recursive: true });
  // Written atomically; the first of several processes creates it.
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${randomBytes(keyLength).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return [requireValue(await readKey(file), `the key in ${file}`)];
}

async function readKey(file: string): Promise<Buffer | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== keyLength) throw new Error(`${file} must hold 32 bytes in base64: restore it from a backup.`);
  return key;
}
