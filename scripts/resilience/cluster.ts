import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../src/server/database/embedded/free-port';
import type { StepContext } from './step';
import { pause } from './server';

/** A PostgreSQL cluster of two nodes under Patroni, with etcd and HAProxy, all on this machine. */
export interface Cluster {
  /** Through HAProxy, which leads to the primary. */
  readonly url: string;
  /** The name of the primary at this moment. */
  primary(): Promise<string>;
  /** Whether a standby confirms every commit before it is acknowledged. */
  isSynchronous(): Promise<boolean>;
  /** Kills a node, Patroni and PostgreSQL together, as a machine that loses its power. */
  killNode(name: string): void;
}

const tools = ['patroni', 'etcd', 'haproxy'];
const password = 'assay-resilience';

/** The missing packages (Debian) for a cluster on this machine. Empty if there are none. */
export function missingForCluster(): string[] {
  const isOnPath = (name: string) =>
    (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)));
  const packages: Record<string, string> = { patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy' };
  return [
    ...tools.filter((name) => !isOnPath(name)).map((name) => packages[name]!),
    ...(postgresBinaries() === undefined ? ['postgresql'] : []),
  ];
}

function postgresBinaries(): string | undefined {
  const folder = '/usr/lib/postgresql';
  const versions = existsSync(folder) ? readdirSync(folder).sort((left, right) => Number(right) - Number(left)) : [];
  return versions.map((version) => join(folder, version, 'bin')).find((path) => existsSync(join(path, 'postgres')));
}

/** Starts etcd, two nodes and HAProxy, and waits until the standby follows synchronously. */
export async function startCluster(context: StepContext): Promise<Cluster> {
  const run = unprivileged(context);
  const [etcd, etcdPeer, entry, ...ports] = await freePorts(7);
  run('etcd', 'etcd', [
    '--data-dir',
    join(context.folder, 'etcd'),
    '--enable-v2=true',
    '--log-level',
    'error',
    '--listen-client-urls',
    `http://127.0.0.1:${etcd}`,
    '--advertise-client-urls',
    `http://127.0.0.1:${etcd}`,
    '--listen-peer-urls',
    `http://127.0.0.1:${etcdPeer}`,
    '--initial-advertise-peer-urls',
    `http://127.0.0.1:${etcdPeer}`,
    '--initial-cluster',
    `default=http://127.0.0.1:${etcdPeer}`,
  ]);
  const nodes = [0, 1].map((index) => ({
    name: `node${index + 1}`,
    port: ports[index * 2]!,
    api: ports[index * 2 + 1]!,
  }));
  const processes = new Map<string, ChildProcess>();
  const startNode = (node: (typeof nodes)[number]) => {
    const file = join(context.folder, `${node.name}.json`);
    writeFileSync(file, JSON.stringify(patroniSettings(context, node, etcd!)));
    processes.set(node.name, run(node.name, 'patroni', [file]));
  };
  const stateOf = async (node: (typeof nodes)[number], role: string) =>
    (await fetch(`http://127.0.0.1:${node.api}/${role}`).catch(() => undefined))?.status === 200;
  startNode(nodes[0]!);
  await waitUntil('the first node', () => stateOf(nodes[0]!, 'primary'));
  const first = `postgres://postgres:${password}@127.0.0.1:${nodes[0]!.port}/postgres`;
  await query(first, `create role assay login password '${password}'`);
  await query(first, 'create database assay owner assay');
  startNode(nodes[1]!);
  await waitUntil('the synchronous standby', () => stateOf(nodes[1]!, 'synchronous'));
  const proxyFile = join(context.folder, 'haproxy.cfg');
  writeFileSync(proxyFile, proxySettings(entry!, nodes));
  run('haproxy', 'haproxy', ['-db', '-f', proxyFile]);
  const url = `postgres://assay:${password}@127.0.0.1:${entry}/assay`;
  await waitUntil('HAProxy', () => query(url, 'select 1').then(() => true));
  const primary = async () => {
    for (const node of nodes) if (await stateOf(node, 'primary')) return node.name;
    throw new Error('No node is the primary.');
  };
  return {
    url,
    primary,
    async isSynchronous() {
      for (const node of nodes) if (await stateOf(node, 'synchronous')) return true;
      return false;
    },
    killNode(name) {
      const data = join(context.folder, name);
      processes.get(name)!.kill('SIGKILL');
      const postmaster = execFileSync('head', ['-1', join(data, 'postmaster.pid')], { encoding: 'utf8' }).trim();
      process.kill(Number(postmaster), 'SIGKILL');
      // Its backends end as soon as they notice; here they must not finish their work.
      spawnSync('pkill', ['-KILL', '-f', `postgres: ${name}:`]);
    },
  };
}

interface Node {
  readonly name: string;
  readonly port: number;
  readonly api: number;
}

/** JSON is valid YAML. These are Patroni's shortest times: docs/operations.md has those for production. */
function patroniSettings(context: StepContext, { name, port, api }: Node, etcd: number): unknown {
  const access = ['127.0.0.1/32'].flatMap((address) => [
    `host all all ${address} scram-sha-256`,
    `host replication replicator ${address} scram-sha-256`,
  ]);
  return {
    scope: 'assay',
    name,
    restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
    etcd: { hosts: `127.0.0.1:${etcd}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 3,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 60 } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
      pg_hba: access,
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(context.folder, name),
      bin_dir: postgresBinaries(),
      basebackup: [{ checkpoint: 'fast' }],
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
        rewind: { username: 'rewind', password },
      },
      parameters: { unix_socket_directories: context.folder, cluster_name: name },
      pg_hba: [...access, 'local all all trust'],
    },
  };
}

function proxySettings(entry: number, nodes: readonly Node[]): string {
  return `global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 1s
listen primary
  bind 127.0.0.1:${entry}
  option httpchk GET /primary
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port, api }) => `  server ${name} 127.0.0.1:${port} check port ${api}`).join('\n')}
`;
}

/** Starts programs as the user postgres if this one is root, because initdb and postgres refuse to run as root. */
function unprivileged(context: StepContext): (name: string, program: string, args: readonly string[]) => ChildProcess {
  const isRoot = process.getuid?.() === 0;
  const ids = isRoot
    ? ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })))
    : [userInfo().uid, userInfo().gid];
  const [uid, gid] = ids as [number, number];
  if (isRoot) chownSync(context.folder, uid, gid);
  const logs = join(context.folder, 'logs');
  mkdirSync(logs);
  return (name, program, args) => {
    const logDescriptor = openSync(join(logs, `${name}.log`), 'a');
    const child = spawn(program, args, {
      cwd: context.folder,
      uid,
      gid,
      stdio: ['ignore', logDescriptor, logDescriptor],
      env: { ...process.env, HOME: context.folder },
    });
    context.addCleanup(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await Promise.race([new Promise((resolve) => child.once('exit', resolve)), pause(10_000)]);
      child.kill('SIGKILL');
    });
    return child;
  };
}

async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = await freePort();
    if (!ports.includes(port)) ports.push(port);
  }
  return ports;
}

async function waitUntil(title: string, isReached: () => Promise<boolean>): Promise<void> {
  for (const limit = Date.now() + 60_000; Date.now() < limit; await pause(200)) {
    if (await isReached().catch(() => false)) return;
  }
  throw new Error(`${title} did not come up within a minute`);
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(text);
  } finally {
    await client.end().catch(() => undefined);
  }
}
