import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { PasskeyOptions, PasskeyResponse } from '@nephos/contracts';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** Bits of the flags in authenticator data (WebAuthn §6.1). */
const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_KEY = 0x40;

interface AuthenticatorOptions {
  origin: string;
  rpId?: string;
}

/** An authenticator in software with one key pair (ES256), as far as log-ins need one. */
export class Authenticator {
  readonly id = randomBytes(32);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #options: Required<AuthenticatorOptions>;
  /** Whether it checks who its person is. */
  verifies = true;
  counter = 0;

  constructor({ origin, rpId = new URL(origin).hostname }: AuthenticatorOptions) {
    this.#options = { origin, rpId };
  }

  /** Makes the key pair known. */
  create({ challenge }: PasskeyOptions): PasskeyResponse {
    const attested = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, this.id.length]),
      this.id,
      cose(this.#keys.publicKey),
    ]);
    const authData = Buffer.concat([this.#data(HAS_KEY), attested]);
    const length = Buffer.from([0x59, authData.length >> 8, authData.length & 0xff]);
    // CBOR of { fmt: 'none', attStmt: {}, authData }.
    const attestationObject = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      length,
      authData,
    ]);
    return this.#answer(this.#clientData('webauthn.create', challenge), {
      attestationObject: attestationObject.toString('base64url'),
    });
  }

  /** Signs a challenge. */
  get({ challenge }: PasskeyOptions): PasskeyResponse {
    this.counter += 1;
    const clientData = this.#clientData('webauthn.get', challenge);
    const authData = this.#data(0);
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#keys.privateKey);
    return this.#answer(clientData, {
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  #data(more: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const flags = PRESENT | (this.verifies ? VERIFIED : 0) | more;
    return Buffer.concat([sha256(this.#options.rpId), Buffer.from([flags]), counter]);
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#options.origin, crossOrigin: false }));
  }

  #answer(clientData: Buffer, rest: Record<string, string>): PasskeyResponse {
    const id = this.id.toString('base64url');
    const response = { clientDataJSON: clientData.toString('base64url'), ...rest };
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}

/** A P-256 public key as COSE has it (RFC 9052 §7). */
function cose(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
}
