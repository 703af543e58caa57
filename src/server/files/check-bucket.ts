import type { Disk } from 'flydrive';
import type { Logger } from 'pino';
import { SettingsError } from '../settings/settings-error';

/** Error codes of S3-compatible services that are caused by wrong settings. */
const settingErrors: Readonly<Record<string, readonly [setting: string, rule: string]>> = {
  NoSuchBucket: ['S3_BUCKET', 'this bucket does not exist'],
  InvalidAccessKeyId: ['S3_ACCESS_KEY_ID', 'is unknown to the service'],
  SignatureDoesNotMatch: ['S3_SECRET_ACCESS_KEY', 'does not belong to S3_ACCESS_KEY_ID'],
  CredentialsProviderError: ['S3_ACCESS_KEY_ID', 'is required: this machine has no credentials of its own'],
  AuthorizationHeaderMalformed: ['S3_REGION', 'is not the region of the bucket'],
  PermanentRedirect: ['S3_REGION', 'is not the region of the bucket'],
};
/** No file ever has this name. */
const missingFileName = 'try';

/**
 * Requests a nonexistent file from the bucket. Throws a SettingsError if the response shows that a setting is wrong; a
 * bucket that is not reachable, which may be temporary, is only logged.
 */
export async function checkBucket(disk: Disk, log: Logger): Promise<void> {
  try {
    await disk.getBytes(missingFileName);
  } catch (error) {
    const { name = '', message = '' } = ((error as Error).cause ?? error) as Error;
    const settingError = settingErrors[name];
    if (settingError) throw new SettingsError(...settingError);
    // Without the right to list a bucket, a missing file is reported as AccessDenied.
    if (name !== 'NoSuchKey' && name !== 'AccessDenied') log.warn(`The bucket for files is not responding: ${message}`);
  }
}
