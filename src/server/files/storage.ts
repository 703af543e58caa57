import { constants } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disk } from 'flydrive';
import type { Logger } from 'pino';
import type { Settings } from '../settings/settings';
import { checkBucket } from './check-bucket';

/** Timeouts in milliseconds: an unresponsive bucket must not block requests, or the start, forever. */
const timeouts = { connectionTimeout: 5_000, requestTimeout: 60_000, throwOnRequestTimeout: true };

/**
 * Opens the file storage: a bucket if the settings name one, otherwise the data folder. Throws a SettingsError if the
 * service rejects the settings.
 */
export async function openStorage({ s3, dataDir }: Settings, log: Logger): Promise<Disk> {
  const { Disk } = await import('flydrive');
  if (!s3) {
    const { FSDriver } = await import('flydrive/drivers/fs');
    return new Disk(new FSDriver({ location: filesFolder(dataDir), visibility: 'private' }));
  }
  const { bucket, region, endpoint, accessKeyId, secretAccessKey } = s3;
  // The driver is loaded only if it is used.
  const { S3Driver } = await import('flydrive/drivers/s3');
  const disk = new Disk(
    new S3Driver({
      bucket,
      region,
      visibility: 'private',
      // Not every S3-compatible service supports access lists, so the bucket itself must be private, or checksums in
      // addition to the signature, which covers the content.
      supportsACL: false,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: timeouts,
      ...(endpoint && { endpoint, forcePathStyle: true }),
      ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
    }),
  );
  await checkBucket(disk, log);
  return disk;
}

/** The folder of files without a bucket. */
export const filesFolder = (dataDir: string) => join(dataDir, 'files');

/**
 * Copies a local file into the folder of files. The driver would use a stream, whose error on a full disk may only say
 * that it was aborted.
 */
export async function copyToFolder(folder: string, key: string, path: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await copyFile(path, join(folder, key), constants.COPYFILE_EXCL);
}
