import { resolve } from 'node:path';
import { isLoopback, readHost, readMailFrom, readSecurityContact, readPublicUrl } from './addresses';
import { readJobs, type JobSettings } from './jobs';
import { type Administrator, readAdministrator } from './administrator';
import { type Limits, readLimits } from './limits';
import { readSecretKeys } from './secret-keys';
import { type Environment, readChoice, readPort, readText, readUrl } from './read-value';
import { SettingsError } from './settings-error';
import { readOperation, type OperationSettings } from './operation';
import { readRetention, type RetentionSettings } from './retention';
import { readS3, type S3Settings } from './s3';
import { readSingleSignOn, type SingleSignOnSettings } from './single-sign-on';
import { readTrustProxy, type TrustedProxies } from './trust-proxy';
import { readSecurityLog, type SecurityLogSettings } from './security-log';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** How loud the log is. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Everything that an operator decides, read once at start. */
export interface Settings {
  port: number;
  host: string;
  /** Where browsers find the program, without a slash at the end: links in mails begin with it. */
  publicUrl: string;
  /** Whose X-Forwarded-For, -Proto and -Host are believed; without it nobody's are. */
  trustProxy?: TrustedProxies;
  /** Absolute. */
  dataDir: string;
  /** A PostgreSQL server of the operator's; without it the embedded one is used. */
  databaseUrl?: string;
  /** The same database past a pooler of connections at databaseUrl, for what needs a connection of its own. */
  databaseDirectUrl?: string;
  /** A bucket for files; without it they lie in the data folder. */
  s3?: S3Settings;
  /** Without it mail is written to files in the data folder. */
  smtpUrl?: string;
  mailFrom: string;
  /** Where weaknesses are reported: an address with its scheme, as in mailto:security@example.com. */
  securityContact: string;
  registrationOpen: boolean;
  /** Demo data belongs into a database that is empty. */
  demo: boolean;
  /** Demo data was asked for by name, which allows it in production too. */
  demoForced: boolean;
  production: boolean;
  admin?: Administrator;
  jobs: JobSettings;
  limits: Limits;
  logLevel: LogLevel;
  /** Encrypt what is secret in the database, the first of them; without them a key in the data folder does. */
  secretKeys?: Buffer[];
  operation: OperationSettings;
  securityLog: SecurityLogSettings;
  retention: RetentionSettings;
  singleSignOn: SingleSignOnSettings;
}

/**
 * Reads and checks every setting. Throws a SettingsError at the first wrong one. The only place that reads NODE_ENV.
 */
export function readSettings(env: Environment): Settings {
  const port = readPort(env, 'PORT') ?? 3000;
  const host = readHost(env);
  const production = readChoice(env, 'NODE_ENV', ['development', 'production', 'test']) === 'production';
  const demo = readChoice(env, 'DEMO', ['0', '1']);
  readUrl(env, 'DATABASE_URL', ['postgres', 'postgresql']);
  readUrl(env, 'SMTP_URL', ['smtp', 'smtps']);
  readUrl(env, 'DATABASE_DIRECT_URL', ['postgres', 'postgresql']);
  const databaseUrl = readText(env, 'DATABASE_URL');
  const databaseDirectUrl = readText(env, 'DATABASE_DIRECT_URL');
  if (databaseDirectUrl !== undefined && databaseUrl === undefined) {
    throw new SettingsError('DATABASE_DIRECT_URL', 'goes with DATABASE_URL, which leads to a pooler of connections');
  }
  return {
    port,
    host,
    publicUrl: readPublicUrl(env, host, port),
    trustProxy: readTrustProxy(env),
    dataDir: resolve(readText(env, 'DATA_DIR') ?? 'data'),
    databaseUrl,
    databaseDirectUrl,
    s3: readS3(env),
    smtpUrl: readText(env, 'SMTP_URL'),
    mailFrom: readMailFrom(env),
    securityContact: readSecurityContact(env),
    registrationOpen: (readChoice(env, 'REGISTRATION', ['open', 'closed']) ?? 'open') === 'open',
    demo: demo === undefined ? !production && isLoopback(host) && databaseUrl === undefined : demo === '1',
    demoForced: demo === '1',
    production,
    admin: readAdministrator(env),
    jobs: readJobs(env),
    limits: readLimits(env),
    secretKeys: readSecretKeys(env),
    logLevel: readChoice(env, 'LOG_LEVEL', LOG_LEVELS) ?? 'info',
    operation: readOperation(env, port),
    securityLog: readSecurityLog(env),
    retention: readRetention(env),
    singleSignOn: readSingleSignOn(env),
  };
}
