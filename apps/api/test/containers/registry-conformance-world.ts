import { expect } from 'vitest';
import { createWorld } from '../world.ts';
import { type Algorithm, type Call, type RegistryAnswer, registryClient } from './registry-client.ts';

// The workflows of the OCI distribution spec's conformance suite (profile `dev`), row for row. `OCI_REGISTRY` (with
// `OCI_USERNAME`, `OCI_PASSWORD`, `OCI_REPO1` and `OCI_REPO2`) points them at another registry than ours.
const { OCI_REGISTRY, OCI_USERNAME, OCI_PASSWORD, OCI_REPO1, OCI_REPO2 } = process.env;

const ERROR_CODES = [
  ...[
    'BLOB_UNKNOWN',
    'BLOB_UPLOAD_INVALID',
    'BLOB_UPLOAD_UNKNOWN',
    'DIGEST_INVALID',
    'MANIFEST_BLOB_UNKNOWN',
  ],
  ...['MANIFEST_INVALID', 'MANIFEST_UNKNOWN', 'NAME_INVALID', 'NAME_UNKNOWN', 'SIZE_INVALID', 'UNAUTHORIZED'],
  ...['DENIED', 'UNSUPPORTED', 'TOOMANYREQUESTS'],
];
export const ALGORITHMS: readonly Algorithm[] = ['sha256', 'sha512'];

/** The registry under test, and two repositories that may be filled. */
export interface ConformanceTarget {
  call: Call;
  repo: string;
  other: string;
  close(): Promise<void>;
}

export async function createConformanceTarget(): Promise<ConformanceTarget> {
  const [repo, other] = [OCI_REPO1 ?? 'conformance/one', OCI_REPO2 ?? 'conformance/two'];
  if (OCI_REGISTRY) {
    const call = registryClient({ url: OCI_REGISTRY, username: OCI_USERNAME, password: OCI_PASSWORD });
    return { call, repo, other, close: async () => {} };
  }
  const world = await createWorld();
  const ada = await world.as('Ada');
  const { token } = await ada.rpc.auth.createToken.mutate({ name: 'Conformance', scope: 'write' });
  return {
    call: registryClient({ url: world.url, username: ada.user.email, password: token }),
    repo: `${ada.user.handle}/${repo}`,
    other: `${ada.user.handle}/${other}`,
    close: () => world.close(),
  };
}

/** A refusal with one of these statuses and, where it has a body, a code of the specification. */
export function expectError(answer: RegistryAnswer, statuses: number[]): void {
  expect(statuses).toContain(answer.status);
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  if (!isJson || answer.body.length === 0) return;
  const { errors } = answer.json() as { errors: { code: string }[] };
  expect(errors.length).toBeGreaterThan(0);
  for (const { code } of errors) expect(ERROR_CODES).toContain(code);
}
