import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';

/** A tablespace for some tables of a test's database that can be filled to its last byte. */
export interface SmallDisk {
  /** Whether it is a separate file system; otherwise a trigger raises PostgreSQL's error of a full disk. */
  readonly real: boolean;
  fill(): Promise<void>;
  free(): Promise<void>;
  /** Removes it; call it after the database is dropped. */
  remove(admin: pg.Client): Promise<void>;
}

/**
 * Moves tables to a file system of a few megabytes, if this user may mount one on PostgreSQL's machine. Otherwise the disk
 * cannot be filled without affecting others: `fill` then adds a trigger to the tables that raises the error of a full disk.
 */
export async function openSmallDisk(client: pg.Client, tables: readonly string[]): Promise<SmallDisk> {
  const folder = mount(await dataFolder(client));
  if (folder === undefined) return simulateSmallDisk(client, tables);
  const name = `small_${process.pid}`;
  await client.query(`create tablespace ${name} location '${folder}'`);
  for (const table of tables) await client.query(`alter table ${table} set tablespace ${name}`);
  return {
    real: true,
    async fill() {
      await client.query(`create table filler (text text) tablespace ${name}`);
      // In ever smaller chunks, down to the last page.
      for (let rows = 4_096; rows >= 1;) {
        const more = client.query(`insert into filler select repeat('x', 1900) from generate_series(1, ${rows})`);
        rows = await more.then(
          () => rows,
          (error: { code?: string }) => {
            if (error.code !== '53100') throw error as Error;
            return Math.floor(rows / 2);
          },
        );
      }
    },
    free: async () => void (await client.query('drop table filler')),
    async remove(admin) {
      await admin.query(`drop tablespace ${name}`);
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function simulateSmallDisk(client: pg.Client, tables: readonly string[]): SmallDisk {
  return {
    real: false,
    async fill() {
      await client.query(`create or replace function full_disk() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
      for (const table of tables) {
        await client.query(`create trigger full_disk before insert or update on ${table} execute function full_disk()`);
      }
    },
    async free() {
      for (const table of tables) await client.query(`drop trigger full_disk on ${table}`);
    },
    remove: async () => undefined,
  };
}

/** PostgreSQL's data folder, if it is on this machine. */
async function dataFolder(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ folder: string }>("select current_setting('data_directory') as folder");
  const { folder } = rows[0]!;
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? folder : undefined;
}

/** Mounts a new file system of six megabytes with the owner of the given folder; undefined if this user may not mount. */
function mount(data: string | undefined): string | undefined {
  if (data === undefined || process.getuid?.() !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'assay-small-disk-'));
  try {
    const { uid, gid } = statSync(data);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=6m,mode=700,uid=${uid},gid=${gid}`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
    chownSync(folder, uid, gid);
    return folder;
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
}
