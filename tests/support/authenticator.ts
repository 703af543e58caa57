import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** The origin that an authenticator reports, and its state. */
export interface Origin {
  readonly origin: string;
  readonly rpId: string;
  /** Number of signatures so far; 0 if it does not count. */
  readonly counter?: number;
  /** Whether it has verified the user. */
  readonly verified?: boolean;
}

const url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();

/** A passkey in software (ES256) that responds as a browser does, with the values that a test chooses. */
export class SoftAuthenticator {
  readonly id = randomBytes(32);
  private readonly publicKey: KeyObject;
  private readonly privateKey: KeyObject;

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.publicKey = publicKey;
    this.privateKey = privateKey;
  }

  /** The result of `navigator.credentials.create` for a challenge. */
  register(challenge: string, place: Origin): Record<string, unknown> {
    const { x, y } = this.publicKey.export({ format: 'jwk' }) as { x: string; y: string };
    const key = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, decodeBase64Url(x)],
        [-3, decodeBase64Url(y)],
      ]),
    );
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, key]);
    const attestation = isoCBOR.encode(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(this.data(place, 0x41, attested))],
      ]) as never,
    );
    const response = {
      clientDataJSON: url(clientData('webauthn.create', challenge, place)),
      attestationObject: url(attestation),
      transports: ['internal'],
    };
    return this.answer(response);
  }

  /** The result of `navigator.credentials.get` for a challenge. */
  sign(challenge: string, place: Origin): Record<string, unknown> {
    const client = clientData('webauthn.get', challenge, place);
    const data = this.data(place, 0x01);
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.privateKey);
    return this.answer({ clientDataJSON: url(client), authenticatorData: url(data), signature: url(signature) });
  }

  private answer(response: object): Record<string, unknown> {
    return { id: url(this.id), rawId: url(this.id), type: 'public-key', clientExtensionResults: {}, response };
  }

  private data({ rpId, counter = 0, verified = true }: Origin, flags: number, attested = Buffer.alloc(0)): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags | (verified ? 0x04 : 0)]), count, attested]);
  }
}

function clientData(type: string, challenge: string, { origin }: Origin): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function decodeBase64Url(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64url'));
}
