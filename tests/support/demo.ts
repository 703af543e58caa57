import pino, { type Logger } from 'pino';
import { roleLevels } from '../../src/server/domain/accounts';
import { prepareData } from '../../src/server/domain/first-start';
import { hooks } from '../../src/server/domain/hooks';
import { jobKinds } from '../../src/server/domain/jobs';
import { forgetAccess } from '../../src/server/session/access-cache';
import { readSettings } from '../../src/server/settings/settings';
import { startProgram } from '../../src/server/start-program';

/** Starts a program on a database with demo data, which is created if needed; with the definitions of a folder and settings from `env`. */
export function startOnDemo(
  url: string,
  { folder = 'resources', env = {}, log = pino({ level: 'silent' }) }: DemoOptions = {},
): ReturnType<typeof startProgram> {
  const settings = readSettings({ DATABASE_URL: url, DEMO: '1', LOG_LEVEL: 'silent', ...env });
  return startProgram(settings, {
    domain: { hooks, roleLevels, granted: forgetAccess, prepareData, jobKinds },
    folder,
    log,
  });
}

export interface DemoOptions {
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly log?: Logger;
}
