import { join } from 'node:path';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { Settings } from '../settings/settings';

/** Milliseconds: a bucket that does not answer must not hold up requests, or the start, for good. */
const patience = { connectionTimeout: 5_000, requestTimeout: 60_000, throwOnRequestTimeout: true };

/** Where files lie: in a bucket, where the settings name one, else in the data folder. */
export async function openStorage({ s3, dataDir }: Settings): Promise<Disk> {
  if (!s3) return new Disk(new FSDriver({ location: join(dataDir, 'files'), visibility: 'private' }));
  const { bucket, region, endpoint, accessKeyId, secretAccessKey } = s3;
  // Only whoever has a bucket waits for its driver to be read.
  const { S3Driver } = await import('flydrive/drivers/s3');
  return new Disk(
    new S3Driver({
      bucket,
      region,
      visibility: 'private',
      // Not every service that speaks S3 knows access lists, so that the bucket itself has to be private, or checksums
      // beside the signature, which covers the content.
      supportsACL: false,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: patience,
      ...(endpoint && { endpoint, forcePathStyle: true }),
      ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
    }),
  );
}
