import { resolve } from 'node:path';
import { passwordPolicies, type PasswordPolicy } from '../../engine/passwords/rule';
import { isLoopback, readHost, readMailFrom, readSecurityContact, readPublicUrl } from './addresses';
import { readJobs, type JobSettings } from './jobs';
import { type Administrator, readAdministrator } from './administrator';
import { type Limits, readLimits } from './limits';
import { readSecretKeys } from './secret-keys';
import { type Environment, readChoice, readPort, readText, readUrl } from './read-value';
import { SettingsError } from './settings-error';
import { readOperation, type OperationSettings } from './operation';
import { readRetention, type RetentionSettings } from './retention';
import { readCorsOrigins, readFormFrames } from './cross-origin';
import { readS3, type S3Settings } from './s3';
import { readSingleSignOn, type SingleSignOnSettings } from './single-sign-on';
import { readWebhookAllowPrivate, type PrivateTarget } from './webhooks';
import { readVirusScanner, type VirusScanner } from './virus-scanner';
import { readTrustProxy, type TrustedProxies } from './trust-proxy';
import { readSecurityLog, type SecurityLogSettings } from './security-log';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The minimum level of log lines. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The operator's settings, read once at start. */
export interface Settings {
  port: number;
  host: string;
  /** The URL of the program for browsers, without a trailing slash; links in mails begin with it. */
  publicUrl: string;
  /** The proxies whose X-Forwarded-For, -Proto and -Host headers are trusted; undefined: none. */
  trustProxy?: TrustedProxies;
  /** Origins of other web applications whose pages may call the API, such as https://reports.example.com. */
  corsOrigins: readonly string[];
  /** Origins of web sites that may show public forms in a frame. */
  formFrames: readonly string[];
  /** Absolute path. */
  dataDir: string;
  /** The folder of the product to run instead of the one that is built in. */
  productFolder?: string;
  /** The operator's PostgreSQL server; without it, the embedded one is used. */
  databaseUrl?: string;
  /** The same database without the connection pooler at databaseUrl, for what needs a dedicated connection. */
  databaseDirectUrl?: string;
  /** Servers that replicate it, for requests that only read. */
  databaseReadUrls?: readonly string[];
  /** A bucket for files; without it, they are in the data folder. */
  s3?: S3Settings;
  /** ClamAV's daemon, which looks into every received file; without it, none does. */
  virusScanner?: VirusScanner;
  /** Without it, mail is written to files in the data folder. */
  smtpUrl?: string;
  mailFrom: string;
  /** Where to report vulnerabilities: a URL, as in mailto:security@example.com. */
  securityContact: string;
  registrationOpen: boolean;
  /** Insert demo data into an empty database. */
  demo: boolean;
  /** DEMO=1 was set explicitly, which allows demo data in production too. */
  demoForced: boolean;
  production: boolean;
  /** Which new passwords are accepted. */
  passwordPolicy: PasswordPolicy;
  admin?: Administrator;
  jobs: JobSettings;
  limits: Limits;
  logLevel: LogLevel;
  /**
   * Keys that encrypt secrets in the database; the first one encrypts. Without them, a key in the data folder is used.
   */
  secretKeys?: Buffer[];
  operation: OperationSettings;
  securityLog: SecurityLogSettings;
  retention: RetentionSettings;
  singleSignOn: SingleSignOnSettings;
  /** Private hosts and networks that webhooks may call; all others must be public. */
  webhookAllowPrivate: readonly PrivateTarget[];
}

/**
 * Reads and validates all settings. Throws a SettingsError for the first invalid one. The only place that reads
 * NODE_ENV.
 */
export function readSettings(env: Environment): Settings {
  const port = readPort(env, 'PORT') ?? 3000;
  const host = readHost(env);
  const production = readChoice(env, 'NODE_ENV', ['development', 'production', 'test']) === 'production';
  const passwordPolicy = readChoice(env, 'PASSWORD_POLICY', passwordPolicies) ?? 'rule';
  const demo = readChoice(env, 'DEMO', ['0', '1']);
  readUrl(env, 'DATABASE_URL', ['postgres', 'postgresql']);
  readUrl(env, 'SMTP_URL', ['smtp', 'smtps']);
  readUrl(env, 'DATABASE_DIRECT_URL', ['postgres', 'postgresql']);
  const databaseUrl = readText(env, 'DATABASE_URL');
  const databaseDirectUrl = readText(env, 'DATABASE_DIRECT_URL');
  if (databaseDirectUrl !== undefined && databaseUrl === undefined) {
    throw new SettingsError(
      'DATABASE_DIRECT_URL',
      'must be set together with DATABASE_URL, which names a connection pooler',
    );
  }
  const databaseReadUrls = readReadUrls(env);
  if (databaseReadUrls && databaseUrl === undefined)
    throw new SettingsError(
      'DATABASE_READ_URL',
      'must be set together with DATABASE_URL, which names the primary server',
    );
  return {
    port,
    host,
    publicUrl: readPublicUrl(env, host, port),
    trustProxy: readTrustProxy(env),
    corsOrigins: readCorsOrigins(env),
    formFrames: readFormFrames(env),
    dataDir: resolve(readText(env, 'DATA_DIR') ?? 'data'),
    productFolder: readText(env, 'ASSAY_PRODUCT'),
    databaseUrl,
    databaseDirectUrl,
    databaseReadUrls,
    s3: readS3(env),
    virusScanner: readVirusScanner(env),
    smtpUrl: readText(env, 'SMTP_URL'),
    mailFrom: readMailFrom(env),
    securityContact: readSecurityContact(env),
    registrationOpen: (readChoice(env, 'REGISTRATION', ['open', 'closed']) ?? 'open') === 'open',
    demo: demo === undefined ? !production && isLoopback(host) && databaseUrl === undefined : demo === '1',
    demoForced: demo === '1',
    production,
    passwordPolicy,
    admin: readAdministrator(env, passwordPolicy),
    jobs: readJobs(env),
    limits: readLimits(env),
    secretKeys: readSecretKeys(env),
    logLevel: readChoice(env, 'LOG_LEVEL', LOG_LEVELS) ?? 'info',
    operation: readOperation(env, port),
    securityLog: readSecurityLog(env),
    retention: readRetention(env),
    singleSignOn: readSingleSignOn(env),
    webhookAllowPrivate: readWebhookAllowPrivate(env),
  };
}

/** Reads the addresses of DATABASE_READ_URL, which are separated by commas. */
function readReadUrls(env: Environment): readonly string[] | undefined {
  const name = 'DATABASE_READ_URL';
  const urls = readText(env, name)
    ?.split(',')
    .map((url) => url.trim());
  for (const url of urls ?? []) {
    if (url === '') throw new SettingsError(name, 'must be addresses separated by commas');
    readUrl({ [name]: url }, name, ['postgres', 'postgresql']);
  }
  return urls;
}
