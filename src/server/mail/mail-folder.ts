import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../settings/settings';
import { toNodemailerMessage } from './envelope';
import type { Transport } from './message';

/**
 * Writes mail to files, `<ISO time>-<n>.eml`, for installations without an SMTP server. Only their owner can read them.
 */
export function openMailFolder(settings: Settings): Transport {
  const folder = join(settings.dataDir, 'mail');
  let last = 0;
  return {
    async send(message) {
      const { createTransport } = await import('nodemailer');
      const composer = createTransport({ streamTransport: true, buffer: true });
      const { message: content } = await composer.sendMail(toNodemailerMessage(settings, message));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${new Date().toISOString()}-${++last}.eml`;
      await writeFile(join(folder, name), content as Buffer, { flag: 'wx', mode: 0o600 });
    },
    close: () => undefined,
  };
}
