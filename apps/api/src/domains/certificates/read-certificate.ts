import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { NewDomainCertificate } from '@nephos/contracts';
import { invalid } from '../../core/errors.ts';

/** A certificate that can be served for its domain. */
export interface ReadCertificate {
  /** PEM, the domain's own first. */
  chain: string;
  /** PKCS #8 in PEM. */
  key: string;
  issuer: string;
  endsAt: string;
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+?-----END \1-----/g;
const MOST_CERTIFICATES = 10;

/**
 * Reads what somebody has for a domain, and checks that browsers could take it: it covers the domain, is valid at `now`,
 * its key is its own, and each certificate of the chain is followed by the one that issued it. Who issued the last one
 * is up to visitors. Throws 400 at the field.
 */
export function readCertificate(
  { domain, certificate, privateKey }: Omit<NewDomainCertificate, 'id'>,
  now: Date,
): ReadCertificate {
  const certificates = certificatesOf(certificate);
  const [own] = certificates;
  if (!own) throw refuse('certificate', "This isn't a certificate in PEM format.");
  checkChain(certificates);
  if (own.checkHost(domain, { subject: 'never' }) === undefined) {
    throw refuse('certificate', `The certificate isn't for ${domain}. ${namesOf(own)}`);
  }
  const [from, to] = [new Date(own.validFrom), new Date(own.validTo)];
  if (to <= now) throw refuse('certificate', `The certificate expired on ${dayOf(to)}.`);
  if (from > now) throw refuse('certificate', `The certificate isn't valid before ${dayOf(from)}.`);
  const key = keyOf(privateKey);
  if (!own.checkPrivateKey(key)) {
    throw refuse('privateKey', "The private key isn't the one of this certificate.");
  }
  const read = {
    chain: certificates.map(String).join(''),
    key: String(key.export({ type: 'pkcs8', format: 'pem' })),
    issuer: issuerOf(own),
    endsAt: to.toISOString(),
  };
  checkUse(read, key);
  return read;
}

function certificatesOf(text: string): X509Certificate[] {
  const blocks = [...text.matchAll(BLOCK)].flatMap(([block, kind]) =>
    kind === 'CERTIFICATE' ? [block] : [],
  );
  if (blocks.length > MOST_CERTIFICATES) {
    throw refuse('certificate', `A chain can have up to ${MOST_CERTIFICATES} certificates.`);
  }
  try {
    return blocks.map((block) => new X509Certificate(block));
  } catch {
    throw refuse('certificate', "The certificate can't be read. Paste it whole, as the file has it.");
  }
}

function checkChain(certificates: readonly X509Certificate[]): void {
  const isBroken = certificates.some((certificate, index) => {
    const issuer = certificates[index + 1];
    return issuer && !(certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey));
  });
  if (!isBroken) return;
  throw refuse(
    'certificate',
    "The chain is out of order. Put the domain's own certificate first, each followed by the one that issued it.",
  );
}

function keyOf(text: string): KeyObject {
  if (/-----BEGIN ENCRYPTED |^Proc-Type: 4,ENCRYPTED/m.test(text)) {
    throw refuse('privateKey', 'The private key has a passphrase. Remove the passphrase first.');
  }
  try {
    return createPrivateKey(text);
  } catch {
    throw refuse('privateKey', "The private key can't be read. Paste it whole, as the file has it.");
  }
}

/** Keys that browsers do not take, or that are too weak for TLS as it is set up here. */
function checkUse({ chain, key }: ReadCertificate, { asymmetricKeyType: type }: KeyObject): void {
  if (type !== 'rsa' && type !== 'ec') {
    throw refuse('privateKey', "Browsers don't support this kind of key. Use RSA or ECDSA.");
  }
  try {
    createSecureContext({ cert: chain, key });
  } catch {
    throw refuse(
      'certificate',
      'TLS refuses this certificate. Use an RSA key of 2048 bits or more, or ECDSA.',
    );
  }
}

/** As the name of the organisation or of the certificate that signed it. */
function issuerOf({ issuer }: X509Certificate): string {
  const part = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(issuer)?.[1];
  return part('O') ?? part('CN') ?? 'unknown';
}

function namesOf({ subjectAltName = '' }: X509Certificate): string {
  const names = [...subjectAltName.matchAll(/DNS:([^,\s"]+)/g)].map(([, name]) => name);
  if (names.length === 0) return 'It names no domains.';
  const more = names.length > 3 ? ' and others' : '';
  return `It is for ${names.slice(0, 3).join(', ')}${more}.`;
}

function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

function refuse(path: 'certificate' | 'privateKey', message: string) {
  return invalid(message, [{ path, message }]);
}
