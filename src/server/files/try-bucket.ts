import type { Disk } from 'flydrive';
import type { Logger } from 'pino';
import { SettingsError } from '../settings/settings-error';

/** What services that speak S3 say of settings that are wrong, by the code of their refusal. */
const wrongSettings: Readonly<Record<string, readonly [setting: string, rule: string]>> = {
  NoSuchBucket: ['S3_BUCKET', 'there is no such bucket'],
  InvalidAccessKeyId: ['S3_ACCESS_KEY_ID', 'the service does not know it'],
  SignatureDoesNotMatch: ['S3_SECRET_ACCESS_KEY', 'does not belong to S3_ACCESS_KEY_ID'],
  CredentialsProviderError: ['S3_ACCESS_KEY_ID', 'is needed: this machine has no credentials of its own'],
  AuthorizationHeaderMalformed: ['S3_REGION', 'is not the region of the bucket'],
  PermanentRedirect: ['S3_REGION', 'is not the region of the bucket'],
};
/** No file is ever called this. */
const nothing = 'try';

/**
 * Asks a bucket for a file that is not there. Throws a SettingsError where the answer says that a setting is wrong; a
 * bucket that cannot be reached, which may pass, is logged alone.
 */
export async function tryBucket(disk: Disk, log: Logger): Promise<void> {
  try {
    await disk.getBytes(nothing);
  } catch (error) {
    const { name = '', message = '' } = ((error as Error).cause ?? error) as Error;
    const wrong = wrongSettings[name];
    if (wrong) throw new SettingsError(...wrong);
    // Who may not list a bucket is not told that there is no such file.
    if (name !== 'NoSuchKey' && name !== 'AccessDenied') log.warn(`The bucket for files does not answer: ${message}`);
  }
}
