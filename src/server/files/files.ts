import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Disk } from 'flydrive';
import type { Logger } from 'pino';
import type { Database } from '../database/database';
import { onEngineTables } from '../database/engine-tables';
import type { Settings } from '../settings/settings';
import { openSigningKeys } from './signing-keys';
import { canDeleteFiles } from './deletion-lock';
import { copyToFolder, filesFolder, openStorage } from './storage';
import { assertWithinQuota, type FileOwner } from './quota';
import { openTemporaryFiles, diskFullError, type TemporaryFiles } from './temporary-files';
import { scanFile, type FileScanner } from './scanner';
import type { Upload } from './upload';
import { lastOf } from '../../engine/values/lookups';

/** A stored file. */
export interface StoredFile {
  readonly key: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/** Access to all stored files. */
export interface Files {
  /** Files that are being received. */
  readonly temporary: TemporaryFiles;
  /**
   * Scans a received file and stores it for a field. It is deleted later unless a record refers to its key. Do not call
   * it within a transaction: it has one of its own. Throws Invalid if a scanner refuses it, TooLarge (`QUOTA_EXCEEDED`),
   * and Unavailable if the disk is full or a scanner does not answer.
   */
  store(upload: Upload, type: string, owner: FileOwner): Promise<StoredFile>;
  /** Deletes files permanently; those that cannot be deleted, or not during a backup, are deleted later. */
  remove(keys: readonly string[]): Promise<void>;
  find(key: string): Promise<StoredFile | undefined>;
  /** Opens the content of a file; undefined if it no longer exists. */
  open(key: string): Promise<Readable | undefined>;
  /** A short-lived URL of this file. */
  signedUrl(key: string): string;
  verifyUrl(key: string, query: Readonly<Record<string, unknown>>): 'good' | 'expired' | 'foreign';
}

/** Opens the file storage of the settings; `scanners` look into every file. Throws SettingsError. */
export async function openFiles(
  settings: Settings,
  database: Database,
  log: Logger,
  scanners: readonly FileScanner[],
): Promise<Files> {
  let diskPromise: Promise<Disk> | undefined;
  const disk = () => (diskPromise ??= openStorage(settings, log));
  // A bucket is checked at the start; the driver of the data folder is loaded with the first file.
  if (settings.s3) await disk();
  const keys = await openSigningKeys(database);
  const { kysely } = database;
  const remove: Files['remove'] = async (keys) => {
    for (const key of keys) {
      try {
        await database.transaction(async (trx) => {
          if (!(await canDeleteFiles(trx))) return;
          await (await disk()).delete(key);
          await onEngineTables(trx).deleteFrom('files').where('key', '=', key).execute();
        });
      } catch (error) {
        log.warn({ err: error }, 'A file could not be deleted');
      }
    }
  };
  return {
    temporary: openTemporaryFiles(settings.dataDir),
    remove,
    async store(upload, type, owner) {
      const key = `${randomBytes(16).toString('hex')}.${lastOf(type.split('/')).replace(/\W/g, '')}`;
      const { name, size } = upload;
      const { resource, field, person = null, company = null, isWaiting = false } = owner;
      await scanFile(scanners, { name, type, size, open: () => upload.open() }, field, log);
      // Insert the row first: a file without a row would never be found again.
      await database.transaction(async (trx) => {
        await assertWithinQuota(settings.limits, size, owner, trx);
        await onEngineTables(trx)
          .insertInto('files')
          .values({ key, resource, field, name, type, size, user_id: person, site_id: company, is_waiting: isWaiting })
          .execute();
      });
      try {
        // A bucket requires a signature of the content, and may require sending it again.
        if (settings.s3) await (await disk()).put(key, await upload.bytes());
        else await copyToFolder(filesFolder(settings.dataDir), key, upload.path);
      } catch (error) {
        await remove([key]);
        throw diskFullError((error as Error).cause) ?? diskFullError(error) ?? error;
      }
      return { key, name, type, size };
    },
    find: (key) =>
      onEngineTables(kysely)
        .selectFrom('files')
        .select(['key', 'name', 'type', 'size'])
        .where('key', '=', key)
        // The file of a deleted record, which can still be brought back, is nobody's.
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('deleted_files').select('deleted_files.key').whereRef('deleted_files.key', '=', 'files.key'),
            ),
          ),
        )
        .executeTakeFirst(),
    async open(key) {
      try {
        const content = await (await disk()).getStream(key);
        // A stream from the data folder reports a missing file only now.
        await once(content, 'readable');
        return content;
      } catch (error) {
        if (isMissingFile(error)) return undefined;
        throw error;
      }
    },
    signedUrl: (key) => keys.sign(key),
    verifyUrl: (key, query) => keys.check(key, query),
  };
}

/** Whether a driver reports a missing file. */
function isMissingFile(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { name?: string } };
  return code === 'ENOENT' || cause?.name === 'NoSuchKey';
}
