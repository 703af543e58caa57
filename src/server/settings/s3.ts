import { type Environment, readText, readUrl } from './read-value';
import { SettingsError } from './settings-error';

/** A bucket for files, at Amazon or another S3-compatible service. */
export interface S3Settings {
  readonly bucket: string;
  readonly region: string;
  /** URL of a service other than Amazon's. */
  readonly endpoint?: string;
  /** Without them, the machine's own credentials are used. */
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
}

/** Reads the settings of the bucket; undefined without `S3_BUCKET`. Throws a SettingsError. */
export function readS3(env: Environment): S3Settings | undefined {
  const bucket = readText(env, 'S3_BUCKET');
  if (bucket === undefined) return undefined;
  readUrl(env, 'S3_ENDPOINT', ['http', 'https']);
  const accessKeyId = readText(env, 'S3_ACCESS_KEY_ID');
  const secretAccessKey = readText(env, 'S3_SECRET_ACCESS_KEY');
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    throw new SettingsError('S3_SECRET_ACCESS_KEY', 'must be set together with S3_ACCESS_KEY_ID: set both or neither');
  }
  return {
    bucket,
    region: readText(env, 'S3_REGION') ?? 'us-east-1',
    endpoint: readText(env, 'S3_ENDPOINT'),
    accessKeyId,
    secretAccessKey,
  };
}
