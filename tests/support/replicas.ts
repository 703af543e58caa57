import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import pg from 'pg';
import { startEmbedded, type EmbeddedServer } from '../../src/server/database/embedded/start-embedded';
import { createScratchFolder } from './scratch-folder';

const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A PostgreSQL server that replicas can follow. It flushes its commits, unlike that of the other tests. */
export interface PrimaryServer {
  readonly url: string;
  /** Its processes, the one that starts the others first. */
  processIds(): readonly number[];
  /** Starts a replica, with parameters such as `recovery_min_apply_delay`. */
  addReplica(parameters?: Readonly<Record<string, string>>): Promise<ReplicaServer>;
  /** Stops it and its replicas. */
  close(): Promise<void>;
}

/** A PostgreSQL server that follows another one by streaming replication. */
export interface ReplicaServer {
  readonly url: string;
  processIds(): readonly number[];
  /** Stops all its processes where they are: connections stay open, and nothing answers. */
  pause(): void;
  resume(): void;
  /** Kills it; it is started again at the same address. */
  kill(): void;
}

export async function startPrimary(): Promise<PrimaryServer> {
  const folder = createScratchFolder('assay-primary-');
  const primary = await startEmbedded({ dataDir: folder, log: silentLog });
  const replicas: { server: EmbeddedServer; resume(): void; folder: string }[] = [];
  return {
    url: primary.url,
    processIds: () => processesOf(folder),
    async addReplica(parameters = {}) {
      const copy = createScratchFolder('assay-replica-');
      await copyCluster(primary.url, folder, copy, parameters);
      const server = await startEmbedded({ dataDir: copy, log: silentLog });
      const signal = (name: NodeJS.Signals) => {
        for (const id of processesOf(copy)) process.kill(id, name);
      };
      const resume = () => signal('SIGCONT');
      replicas.push({ server, resume, folder: copy });
      return {
        url: server.url,
        processIds: () => processesOf(copy),
        pause: () => signal('SIGSTOP'),
        resume,
        kill: () => signal('SIGKILL'),
      };
    },
    async close() {
      for (const { server, resume } of replicas) {
        resume();
        await server.stop();
      }
      await primary.stop();
      for (const used of [folder, ...replicas.map((replica) => replica.folder)])
        rmSync(used, { recursive: true, force: true });
    },
  };
}

/** A base backup of a running server. The packages have no `pg_basebackup`, so it is made by PostgreSQL's functions for one. */
async function copyCluster(
  url: string,
  from: string,
  to: string,
  parameters: Readonly<Record<string, string>>,
): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(`select pg_backup_start('replica', true)`);
    const filter = (path: string) => !/^(postmaster\.(pid|opts)|pg\.log|lock.*)$/.test(basename(path));
    for (const name of ['pg', 'pg.password']) cpSync(join(from, name), join(to, name), { recursive: true, filter });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    writeFileSync(join(to, 'pg/backup_label'), rows[0]!.labelfile);
  } finally {
    await client.end();
  }
  const { hostname, port, username, password } = new URL(url);
  const source = `host=${hostname} port=${port} user=${username} password=${password}`;
  const settings = Object.entries({ primary_conninfo: source, ...parameters }).map(
    ([name, value]) => `${name} = '${value}'\n`,
  );
  writeFileSync(join(to, 'pg/postgresql.auto.conf'), settings.join(''));
  writeFileSync(join(to, 'pg/standby.signal'), '');
}

function processesOf(folder: string): number[] {
  const [first] = readFileSync(join(folder, 'pg/postmaster.pid'), 'utf8').split('\n');
  const id = Number(first);
  const children = readFileSync(`/proc/${id}/task/${id}/children`, 'utf8');
  return [id, ...children.split(' ').filter(Boolean).map(Number)];
}
