import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { type Binaries, cannotRun } from './binaries';

/** The user that PostgreSQL's programs run as; empty for an ordinary user, who runs them directly. */
export interface RunAs {
  uid?: number;
  gid?: number;
  /** A command that switches the user, with its arguments; then uid and gid are not set. */
  through: string[];
}

/** Arguments for `spawn`. */
export interface Invocation {
  command: string;
  args: string[];
  uid?: number;
  gid?: number;
}

const NOBODY = 65534;

/**
 * Chooses the user. PostgreSQL refuses root: then it is the owner of an existing cluster in `pgFolder`, or nobody, with
 * the capability to access closed folders if this system can grant it. Throws an EmbeddedError if the programs don't
 * run at all.
 */
export function chooseRunAs(binaries: Binaries, pgFolder: string): RunAs {
  let lastOutput = '';
  for (const runAs of runAsCandidates(pgFolder)) {
    const { command, args, uid, gid } = invocationOf(runAs, binaries.postgres, ['--version']);
    const attempt = spawnSync(command, args, { uid, gid, cwd: startFolder(), encoding: 'utf8' });
    if (attempt.status === 0) return runAs;
    lastOutput = attempt.error?.message ?? attempt.stderr;
  }
  throw cannotRun(lastOutput);
}

/** The command that starts `program` as that user. */
export function invocationOf(runAs: RunAs, program: string, args: string[]): Invocation {
  const [launcher, ...launcherArgs] = runAs.through;
  if (launcher) return { command: launcher, args: [...launcherArgs, program, ...args] };
  return { command: program, args, uid: runAs.uid, gid: runAs.gid };
}

/** A working directory that every user can access. */
export function startFolder(): string | undefined {
  return process.platform === 'win32' ? undefined : '/';
}

// Best first: on Linux the server is signaled when its supervisor dies; old versions of setpriv don't support that.
function runAsCandidates(pgFolder: string): RunAs[] {
  const onLinux = process.platform === 'linux';
  if (process.getuid?.() !== 0) {
    return onLinux ? [{ through: ['setpriv', ...endsWithParent, '--'] }, { through: [] }] : [{ through: [] }];
  }
  const { uid, gid } = ownerOf(pgFolder) ?? unprivileged();
  const direct = { uid, gid, through: [] };
  if (!onLinux) return [direct];
  const identity = identityFlags(uid, gid);
  return [
    { uid, gid, through: ['setpriv', ...identity, ...endsWithParent, '--'] },
    { uid, gid, through: ['setpriv', ...identity, '--'] },
    direct,
  ];
}

const endsWithParent = ['--pdeathsig', 'INT'];

function identityFlags(uid: number, gid: number): string[] {
  const capabilities = '+dac_override,+dac_read_search';
  const identity = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--securebits=+no_setuid_fixup'];
  return [...identity, `--inh-caps=${capabilities}`, `--ambient-caps=${capabilities}`];
}

// If root starts the program, a cluster created by an ordinary user stays theirs.
function ownerOf(folder: string): { uid: number; gid: number } | undefined {
  const stat = statSync(folder, { throwIfNoEntry: false });
  return stat && stat.uid !== 0 ? { uid: stat.uid, gid: stat.gid } : undefined;
}

// initdb needs a user in /etc/passwd.
function unprivileged(): { uid: number; gid: number } {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => uid > 0 && gid >= 0);
  const account =
    accounts.find(({ uid }) => uid === NOBODY) ?? accounts.find(({ name }) => name === 'nobody' || name === 'daemon');
  return account ?? { uid: NOBODY, gid: NOBODY };
}
