import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeIn, readMail } from '../../server/mail/mailbox';
import { expect } from './test';

/** Waits for the latest mail of the shared program to an address, and returns its code. */
export async function codeSentTo(email: string): Promise<string> {
  const folder = process.env.ASSAY_MAIL!;
  const latest = () => {
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')) : [];
    const mails = names.sort().map((name) => readFileSync(join(folder, name), 'utf8'));
    return mails.filter((raw) => readMail(raw).headers.to?.includes(email)).at(-1);
  };
  await expect.poll(latest, { message: `a mail to ${email}` }).toBeDefined();
  return codeIn(readMail(latest()!));
}
