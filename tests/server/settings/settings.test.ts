import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSettings, type Settings } from '../../../src/server/settings/settings';
import { SettingsError } from '../../../src/server/settings/settings-error';

const PASSWORD = 'Correct1!';

test('defaults without any setting', () => {
  expect(readSettings({})).toEqual({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    corsOrigins: [],
    formFrames: [],
    dataDir: resolve('data'),
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    databaseReadUrls: undefined,
    smtpUrl: undefined,
    mailFrom: 'Assay <assay@localhost>',
    securityContact: 'mailto:assay@localhost',
    registrationOpen: true,
    demo: true,
    demoForced: false,
    production: false,
    passwordPolicy: 'rule',
    admin: undefined,
    jobs: { maxConcurrent: 4, perCompany: 2, retentionDays: 30 },
    limits: {
      callsPerMinute: 0,
      streamsPerPerson: 50,
      storagePerCompany: 10 * 1024 ** 3,
      storagePerPerson: 2 * 1024 ** 3,
      stalledTimeout: 30,
    },
    logLevel: 'info',
    operation: {
      metricsPort: undefined,
      metricsHost: '127.0.0.1',
      slowRequestMs: 2_000,
      slowStatementMs: 1_000,
      shutdownDelay: 0,
      databaseWait: 30_000,
    },
    securityLog: { days: 400, exportRows: 500 },
    retention: {},
    singleSignOn: { passwordsDisabled: false, allowPrivateIssuers: false },
    webhookAllowPrivate: [],
  });
});

const good: [Record<string, string>, Partial<Settings>][] = [
  [{ PORT: '8080' }, { port: 8080, publicUrl: 'http://localhost:8080' }],
  [{ PORT: ' 65535 ' }, { port: 65535 }],
  [{ PORT: '' }, { port: 3000 }],
  [{ HOST: '0.0.0.0' }, { host: '0.0.0.0', publicUrl: 'http://localhost:3000' }],
  [{ SECURITY_CONTACT: 'security@example.com' }, { securityContact: 'mailto:security@example.com' }],
  [{ SECURITY_CONTACT: 'https://example.com/security' }, { securityContact: 'https://example.com/security' }],
  [{ HOST: '::' }, { host: '::', publicUrl: 'http://localhost:3000' }],
  [{ HOST: '192.168.1.5' }, { publicUrl: 'http://192.168.1.5:3000' }],
  [{ HOST: 'fd00::1', PORT: '81' }, { publicUrl: 'http://[fd00::1]:81' }],
  [{ HOST: 'qa.example.com' }, { host: 'qa.example.com' }],
  [{ PUBLIC_URL: 'https://assay.example.com/' }, { publicUrl: 'https://assay.example.com' }],
  [{ PUBLIC_URL: 'http://10.0.0.1:8080' }, { publicUrl: 'http://10.0.0.1:8080' }],
  [
    { CORS_ORIGINS: 'https://reports.example.com, http://localhost:5173/' },
    { corsOrigins: ['https://reports.example.com', 'http://localhost:5173'] },
  ],
  [{ FORM_FRAMES: 'https://www.example.com' }, { formFrames: ['https://www.example.com'] }],
  [{ TRUST_PROXY: '0' }, { trustProxy: undefined }],
  [{ TRUST_PROXY: '2' }, { trustProxy: { hops: 2 } }],
  [
    { TRUST_PROXY: ' 127.0.0.1, 10.0.0.0/8,fd00::/8 ' },
    { trustProxy: { networks: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'] } },
  ],
  [{ DATA_DIR: '/var/lib/assay' }, { dataDir: '/var/lib/assay' }],
  [{ DATA_DIR: 'here' }, { dataDir: resolve('here') }],
  [{ DATABASE_URL: 'postgres://me:pw@db/assay' }, { databaseUrl: 'postgres://me:pw@db/assay', demo: false }],
  [{ DATABASE_URL: 'postgresql:///assay?host=/run' }, { databaseUrl: 'postgresql:///assay?host=/run' }],
  [
    { DATABASE_URL: 'postgres://pooler/assay', DATABASE_DIRECT_URL: 'postgres://db/assay' },
    { databaseUrl: 'postgres://pooler/assay', databaseDirectUrl: 'postgres://db/assay' },
  ],
  [
    { DATABASE_URL: 'postgres://db/assay', DATABASE_READ_URL: 'postgres://one/assay, postgres://two/assay' },
    { databaseReadUrls: ['postgres://one/assay', 'postgres://two/assay'] },
  ],
  [{ SMTP_URL: 'smtps://me:pw@mail:465' }, { smtpUrl: 'smtps://me:pw@mail:465' }],
  [{ MAIL_FROM: 'assay@example.com' }, { mailFrom: 'assay@example.com' }],
  [{ MAIL_FROM: 'QA team <qa@example.com>' }, { mailFrom: 'QA team <qa@example.com>' }],
  [{ REGISTRATION: 'open' }, { registrationOpen: true }],
  [{ REGISTRATION: 'closed' }, { registrationOpen: false }],
  [{ JOBS_AT_ONCE: '1', JOBS_PER_COMPANY: '32' }, { jobs: { maxConcurrent: 1, perCompany: 32, retentionDays: 30 } }],
  [{ HISTORY_DAYS: '30', NOTIFICATION_DAYS: '365' }, { retention: { historyDays: 30, notificationDays: 365 } }],
  [{ ARCHIVE_DIR: 'old' }, { retention: { archiveDir: resolve('old') } }],
  [{ NODE_ENV: 'production' }, { production: true }],
  [{ NODE_ENV: 'test' }, { production: false }],
  [{ LOG_LEVEL: 'debug' }, { logLevel: 'debug' }],
  [{ PASSWORD_POLICY: 'strong' }, { passwordPolicy: 'strong' }],
  [
    { PASSWORD_POLICY: 'strong', ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'a quiet harbour' },
    { admin: { email: 'ada@example.com', password: 'a quiet harbour' } },
  ],
  [
    { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: PASSWORD },
    { admin: { email: 'ada@example.com', password: PASSWORD } },
  ],
];

test.each(good)('%j', (env, expected) => {
  expect(readSettings(env)).toMatchObject(expected);
});

const demo: [Record<string, string>, boolean, boolean][] = [
  [{}, true, false],
  [{ HOST: 'localhost' }, true, false],
  [{ HOST: '::1' }, true, false],
  [{ HOST: '127.8.8.8' }, true, false],
  [{ HOST: '0.0.0.0' }, false, false],
  [{ HOST: '127.example.com' }, false, false],
  [{ DATABASE_URL: 'postgres://db/assay' }, false, false],
  [{ NODE_ENV: 'production' }, false, false],
  [{ DEMO: '0' }, false, false],
  [{ DEMO: '1' }, true, true],
  [{ DEMO: '1', HOST: '0.0.0.0', DATABASE_URL: 'postgres://db/assay' }, true, true],
  [{ DEMO: '1', NODE_ENV: 'production' }, true, true],
];

test.each(demo)('demo data with %j: %s', (env, expected, forced) => {
  expect(readSettings(env)).toMatchObject({ demo: expected, demoForced: forced });
});

const bad: Record<string, string[]> = {
  JOBS_AT_ONCE: ['0', '33', 'two'],
  JOBS_PER_COMPANY: ['0', '-1'],
  JOBS_KEPT_DAYS: ['0', '3651', '1.5'],
  HISTORY_DAYS: ['0', '29', 'ever'],
  NOTIFICATION_DAYS: ['29', '36501'],
  STORAGE_PER_COMPANY: ['10', '10 GiB', '-1 GB', 'GB', '1e3 MB'],
  STORAGE_PER_PERSON: ['much'],
  CALLS_PER_MINUTE: ['-1', '1.5', 'many'],
  STREAMS_PER_PERSON: ['-1'],
  STALLED_AFTER: ['0', '30s'],
  SECURITY_CONTACT: ['security', 'http://example.com/security', 'a b@example.com'],
  PORT: ['0', '65536', '-1', '80.5', '1e3', '0x50', 'http'],
  TRUST_PROXY: [
    'true',
    '11',
    '-1',
    '1.5',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '::/129',
    '10.1',
    '010.0.0.1',
    '127.0.0.1,',
    'localhost',
    'fe80::1%eth0',
  ],
  HOST: ['http://localhost', 'a b', '256.1.1.1', '-x', 'localhost:3000'],
  PUBLIC_URL: [
    'assay.example.com',
    'ftp://x',
    'https://',
    'https://u:p@x',
    'https://x/?a=1',
    'https://x/#a',
    'https://x/y',
  ],
  CORS_ORIGINS: ['*', 'reports.example.com', 'https://a.example/path', 'https://a.example,', 'file:///a', 'null'],
  DATABASE_URL: ['mysql://db', 'db', 'postgres:db'],
  DATABASE_DIRECT_URL: ['mysql://db', 'postgres://db/without-a-pooler'],
  DATABASE_READ_URL: ['mysql://db', 'postgres://db/without-a-primary', 'postgres://one,'],
  SMTP_URL: ['mail.example.com', 'http://mail'],
  MAIL_FROM: ['assay', 'Assay <assay>', 'a@b, c@d', 'Assay\nBcc: x@y <a@b>'],
  REGISTRATION: ['yes', 'Open'],
  DEMO: ['true', '2'],
  NODE_ENV: ['prod', 'Production'],
  LOG_LEVEL: ['loud'],
  METRICS_PORT: ['0', '3000', 'yes'],
  METRICS_HOST: ['http://localhost'],
  SLOW_REQUEST_MS: ['-1', '1.5', '600001'],
  SLOW_STATEMENT_MS: ['fast'],
  SHUTDOWN_DELAY: ['301', '5s'],
  DATABASE_WAIT: ['3601'],
};

describe.each(Object.entries(bad))('%s', (name, values) => {
  test.each(values)('%j is refused in one line that names it', (value) => {
    expect(refusal({ [name]: value })).toMatch(new RegExp(`^${name}: [^\n]+$`));
  });
});

const administrators: [Record<string, string>, string][] = [
  [{ ADMIN_EMAIL: 'ada@example.com' }, 'ADMIN_PASSWORD'],
  [{ ADMIN_PASSWORD: PASSWORD }, 'ADMIN_EMAIL'],
  [{ ADMIN_EMAIL: 'ada', ADMIN_PASSWORD: PASSWORD }, 'ADMIN_EMAIL'],
  ...['Short1!', 'correct1!', 'CORRECT1!', 'Correct!!', 'Correct11', 'Correct1 '].map(
    (password): [Record<string, string>, string] => [
      { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: password },
      'ADMIN_PASSWORD',
    ],
  ),
];

administrators.push([
  { PASSWORD_POLICY: 'strong', ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: PASSWORD },
  'ADMIN_PASSWORD',
]);

const oidc = { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'assay', OIDC_DOMAINS: 'example.com' };
const providers: [Record<string, string>, string][] = [
  ...['http://login.example.com', 'login.example.com', 'https://u:p@x.test', 'https://x.test/?a=1'].map(
    (OIDC_ISSUER): [Record<string, string>, string] => [{ ...oidc, OIDC_ISSUER }, 'OIDC_ISSUER'],
  ),
  [{ ...oidc, OIDC_CLIENT_ID: '' }, 'OIDC_CLIENT_ID'],
  [{ ...oidc, OIDC_DOMAINS: '' }, 'OIDC_DOMAINS'],
  [{ ...oidc, OIDC_DOMAINS: 'example.com, @example' }, 'OIDC_DOMAINS'],
  [{ ...oidc, OIDC_SECOND_FACTOR: 'yes' }, 'OIDC_SECOND_FACTOR'],
  [{ ...oidc, OIDC_ADDRESSES: 'yes' }, 'OIDC_ADDRESSES'],
  [{ ...oidc, OIDC_ADDRESSES: 'trust', OIDC_DOMAINS: '*' }, 'OIDC_ADDRESSES'],
  [{ OIDC_ADDRESSES: 'trust' }, 'OIDC_ADDRESSES'],
  [{ OIDC_CLIENT_SECRET: 'a' }, 'OIDC_CLIENT_SECRET'],
  [{ OIDC_PRIVATE_ISSUERS: 'yes' }, 'OIDC_PRIVATE_ISSUERS'],
  [{ LOCAL_SIGN_IN: 'closed' }, 'LOCAL_SIGN_IN'],
  [{ DNS_SERVERS: 'dns.example.com' }, 'DNS_SERVERS'],
];

test.each(providers)('%j is refused because of %s', (env, name) => {
  expect(refusal(env)).toMatch(new RegExp(`^${name}: [^\n]+$`));
});

test('single sign-on of the installation', () => {
  expect(
    readSettings({ ...oidc, OIDC_CLIENT_SECRET: 'quiet', OIDC_DOMAINS: 'Example.com,b.test', LOCAL_SIGN_IN: 'closed' })
      .singleSignOn,
  ).toEqual({
    provider: {
      name: 'single sign-on',
      issuer: oidc.OIDC_ISSUER,
      clientId: 'assay',
      clientSecret: 'quiet',
      domains: ['example.com', 'b.test'],
      trustsSecondFactor: false,
      trustsAddresses: false,
    },
    passwordsDisabled: true,
    allowPrivateIssuers: false,
  });
  expect(readSettings({ ...oidc, OIDC_ISSUER: 'http://127.0.0.1:9000' }).singleSignOn.provider?.issuer).toBe(
    'http://127.0.0.1:9000',
  );
});

test.each(administrators)('%j is refused because of %s', (env, name) => {
  expect(refusal(env)).toMatch(new RegExp(`^${name}: [^\n]+$`));
});

test('an error never repeats a value', () => {
  expect(refusal({ DATABASE_URL: 'mysql://me:secret@db' })).not.toContain('secret');
  expect(refusal({ ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'weaksecret' })).not.toContain('weaksecret');
});

function refusal(env: Record<string, string>): string {
  try {
    readSettings(env);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
}
