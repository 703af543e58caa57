import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Whether a process with this id is running, whoever owns it. Zombies do not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readProcStat(pid));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Identifies the start of a process: differs between two processes that had the same id. Empty if the system does not
 * provide it.
 */
export function processStart(pid: number): string {
  try {
    if (process.platform !== 'linux') return ps(pid, 'lstart=');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The second field is the program's name in parentheses and may hold spaces; the start is the 22nd.
    const fields = readProcStat(pid).split(') ').pop()?.split(' ');
    return `${boot}/${fields?.[19]}`;
  } catch {
    return '';
  }
}

/** The command line of a process, its parts separated by NUL or spaces; empty if the system does not provide it. */
export function commandLineOf(pid: number): string {
  try {
    return process.platform === 'linux' ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : ps(pid, 'command=');
  } catch {
    return '';
  }
}

function readProcStat(pid: number): string {
  return readFileSync(`/proc/${pid}/stat`, 'utf8');
}

/** The ids of all processes; none if the system does not provide them. */
export function processIds(): number[] {
  try {
    const names =
      process.platform === 'linux'
        ? readdirSync('/proc')
        : execFileSync('ps', ['-axo', 'pid='], { encoding: 'utf8' }).split('\n');
    return names.map(Number).filter((pid) => Number.isInteger(pid) && pid > 0);
  } catch {
    return [];
  }
}

function ps(pid: number, column: string): string {
  if (process.platform === 'win32') return '';
  return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim();
}
