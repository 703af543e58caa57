import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { type Binaries, cannotRun } from './binaries';

/** Whom PostgreSQL's programs run as: nothing set for an ordinary user, who runs them as they are. */
export interface RunAs {
  uid?: number;
  gid?: number;
  /** A program that takes the identity on by itself, with its arguments; then uid and gid are left to it. */
  through: string[];
}

/** What to hand to `spawn`. */
export interface Invocation {
  command: string;
  args: string[];
  uid?: number;
  gid?: number;
}

const NOBODY = 65534;

/**
 * Chooses whom to run as. PostgreSQL refuses root: then it is the owner of an existing cluster in `pgFolder`, or nobody,
 * with the capability to pass through folders that are closed to others, where this system can grant it.
 * Throws an EmbeddedError where the programs run in no way.
 */
export function chooseRunAs(binaries: Binaries, pgFolder: string): RunAs {
  let said = '';
  for (const runAs of possibilities(pgFolder)) {
    const { command, args, uid, gid } = invoke(runAs, binaries.postgres, ['--version']);
    const tried = spawnSync(command, args, { uid, gid, cwd: startFolder(), encoding: 'utf8' });
    if (tried.status === 0) return runAs;
    said = tried.error?.message ?? tried.stderr;
  }
  throw cannotRun(said);
}

/** How to start `program` under that identity. */
export function invoke(runAs: RunAs, program: string, args: string[]): Invocation {
  const [through, ...before] = runAs.through;
  if (through) return { command: through, args: [...before, program, ...args] };
  return { command: program, args, uid: runAs.uid, gid: runAs.gid };
}

/** A working folder that every identity may stand in. */
export function startFolder(): string | undefined {
  return process.platform === 'win32' ? undefined : '/';
}

// Best first: on Linux the server is told to end when its supervisor dies; old versions of setpriv cannot do that.
function possibilities(pgFolder: string): RunAs[] {
  const onLinux = process.platform === 'linux';
  if (process.getuid?.() !== 0) {
    return onLinux ? [{ through: ['setpriv', ...endsWithParent, '--'] }, { through: [] }] : [{ through: [] }];
  }
  const { uid, gid } = ownerOf(pgFolder) ?? unprivileged();
  const plain = { uid, gid, through: [] };
  if (!onLinux) return [plain];
  const identity = identityFlags(uid, gid);
  return [
    { uid, gid, through: ['setpriv', ...identity, ...endsWithParent, '--'] },
    { uid, gid, through: ['setpriv', ...identity, '--'] },
    plain,
  ];
}

const endsWithParent = ['--pdeathsig', 'INT'];

function identityFlags(uid: number, gid: number): string[] {
  const capabilities = '+dac_override,+dac_read_search';
  const identity = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--securebits=+no_setuid_fixup'];
  return [...identity, `--inh-caps=${capabilities}`, `--ambient-caps=${capabilities}`];
}

// A cluster that an ordinary user made stays that user's when root starts the program.
function ownerOf(folder: string): { uid: number; gid: number } | undefined {
  const stat = statSync(folder, { throwIfNoEntry: false });
  return stat && stat.uid !== 0 ? { uid: stat.uid, gid: stat.gid } : undefined;
}

// initdb wants a user with a line in /etc/passwd.
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
