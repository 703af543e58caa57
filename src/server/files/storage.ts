import { join } from 'node:path';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { Settings } from '../settings/settings';
import { SettingsError } from '../settings/settings-error';

/**
 * Where files lie: in a bucket, where the settings name one, else in the data folder. Throws a SettingsError that says
 * what to install where a bucket is named and its driver is not there.
 */
export async function openStorage({ s3, dataDir }: Settings): Promise<Disk> {
  if (!s3) return new Disk(new FSDriver({ location: join(dataDir, 'files'), visibility: 'private' }));
  const { bucket, region, endpoint, accessKeyId, secretAccessKey } = s3;
  const { S3Driver } = await import('flydrive/drivers/s3').catch(() => {
    throw new SettingsError(
      'S3_BUCKET',
      'needs two packages that are not installed: npm install @aws-sdk/client-s3 @aws-sdk/s3-request-presigner',
    );
  });
  return new Disk(
    new S3Driver({
      bucket,
      region,
      visibility: 'private',
      // Not every service that speaks S3 knows access lists; the bucket itself has to be private.
      supportsACL: false,
      ...(endpoint && { endpoint, forcePathStyle: true }),
      ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
    }),
  );
}
