import { constants } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { Logger } from 'pino';
import type { Settings } from '../settings/settings';
import { tryBucket } from './try-bucket';

/** Milliseconds: a bucket that does not answer must not hold up requests, or the start, for good. */
const patience = { connectionTimeout: 5_000, requestTimeout: 60_000, throwOnRequestTimeout: true };

/**
 * Where files lie: in a bucket, where the settings name one, else in the data folder. Throws a SettingsError where the
 * service refuses what they say.
 */
export async function openStorage({ s3, dataDir }: Settings, log: Logger): Promise<Disk> {
  if (!s3) return new Disk(new FSDriver({ location: filesFolder(dataDir), visibility: 'private' }));
  const { bucket, region, endpoint, accessKeyId, secretAccessKey } = s3;
  // Only whoever has a bucket waits for its driver to be read.
  const { S3Driver } = await import('flydrive/drivers/s3');
  const disk = new Disk(
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
  await tryBucket(disk, log);
  return disk;
}

/** Where files lie without a bucket. */
export const filesFolder = (dataDir: string) => join(dataDir, 'files');

/**
 * Copies a file of this machine into the folder of files. The driver would pass it through a stream, whose error on a
 * full disk may be that it was aborted, and no word of the disk.
 */
export async function copyInto(folder: string, key: string, path: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await copyFile(path, join(folder, key), constants.COPYFILE_EXCL);
}
