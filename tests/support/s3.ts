import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A bucket of a local S3-compatible service. */
export interface Bucket {
  /** The settings that connect the program to it. */
  readonly env: Readonly<Record<string, string>>;
  readonly objects: Map<string, { bytes: Buffer; type: string }>;
  /** Requests that were rejected for a wrong key or signature. */
  readonly refused: readonly string[];
  /** Awaited before each response. */
  held?: (method: string) => Promise<void>;
  close(): Promise<void>;
}

const name = 'assay-pictures';
const region = 'eu-central-1';
const accessKeyId = 'ASSAYTESTKEY';
const secretAccessKey = 'tXq0/+secret+of+a+bucket/9wZ';

/**
 * Opens an empty bucket: objects can be put, read and deleted by requests that are signed with its key (Signature
 * Version 4, content included). Like many S3-compatible services it supports neither ACLs nor the newer checksums.
 */
export async function openBucket(): Promise<Bucket> {
  const objects = new Map<string, { bytes: Buffer; type: string }>();
  const refused: string[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then(async (body) => {
      await bucket.held?.(request.method!);
      const code = signatureError(request, body);
      if (code) refused.push(code);
      if (code) return rejectRequest(response, code);
      respond(objects, request, response, body);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const bucket: Bucket = {
    env: {
      S3_BUCKET: name,
      S3_REGION: region,
      S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    objects,
    refused,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return bucket;
}

function respond(
  objects: Map<string, { bytes: Buffer; type: string }>,
  { method, headers, url }: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
): void {
  const [, bucket, key = ''] = url!.split('?')[0]!.split('/').map(decodeURIComponent);
  if (bucket !== name) return rejectRequest(response, 'NoSuchBucket');
  if (method === 'PUT') objects.set(key, { bytes, type: headers['content-type'] ?? '' });
  if (method === 'DELETE') objects.delete(key);
  if (method !== 'GET') return void response.writeHead(method === 'PUT' ? 200 : 204).end();
  const object = objects.get(key);
  if (!object) return rejectRequest(response, 'NoSuchKey');
  response.writeHead(200, { 'Content-Type': object.type, 'Content-Length': object.bytes.length }).end(object.bytes);
}

const statuses: Record<string, number> = { NoSuchBucket: 404, NoSuchKey: 404, NotImplemented: 501 };

function rejectRequest(response: ServerResponse, code: string): void {
  response.writeHead(statuses[code] ?? 403, { 'Content-Type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

/** Why a request's signature is invalid; undefined if it is valid. */
function signatureError({ method, headers, url }: IncomingMessage, body: Buffer): string | undefined {
  const form = /^AWS4-HMAC-SHA256 Credential=(.+?)\/(\d{8}\/.+), ?SignedHeaders=(.+), ?Signature=(.+)$/;
  const [, user, scope, signed, signature] = form.exec(headers.authorization ?? '') ?? [];
  if (!scope || !signed) return 'AccessDenied';
  if (user !== accessKeyId) return 'InvalidAccessKeyId';
  const unknown = ['x-amz-acl', 'x-amz-sdk-checksum-algorithm', 'x-amz-trailer', 'x-amz-checksum-mode'];
  if (unknown.some((header) => header in headers)) return 'NotImplemented';
  const at = String(headers['x-amz-date']);
  const names = signed.split(';');
  if (scope !== `${at.slice(0, 8)}/${region}/s3/aws4_request`) return 'AuthorizationHeaderMalformed';
  if (!names.includes('host')) return 'AccessDenied';
  if (headers['x-amz-content-sha256'] !== sha256(body)) return 'XAmzContentSHA256Mismatch';

  const [path, query = ''] = url!.split('?');
  const sorted = query.split('&').sort().join('&');
  const values = names.map((header) => `${header}:${String(headers[header]).trim()}\n`).join('');
  const request = [method, path, sorted, values, signed, sha256(body)].join('\n');
  const key = scope.split('/').reduce<Buffer | string>((last, part) => hmac(last, part), `AWS4${secretAccessKey}`);
  const right = hmac(key, ['AWS4-HMAC-SHA256', at, scope, sha256(request)].join('\n')).toString('hex');
  return signature === right ? undefined : 'SignatureDoesNotMatch';
}

const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest('hex');
