import { z } from 'zod';
import { mutation, query } from './kit.ts';
import { ById, Success } from './page.ts';

/** The key by which a project reads its repository over SSH. */
export const DeployKey = z.object({
  /** As `authorized_keys` has it; null where there is none. */
  publicKey: z.string().nullable(),
  createdAt: z.iso.datetime().nullable(),
  /** The host and port whose keys are known from the first use on; '' before that. */
  host: z.string(),
  /** Fingerprints of these keys, as `ssh-keygen -l` shows them: type and SHA-256. */
  hostKeys: z.array(z.object({ type: z.string(), fingerprint: z.string() })),
});
export type DeployKey = z.output<typeof DeployKey>;

export const deployKeys = {
  get: query({
    summary: "A project's deploy key, which its Git host has to know, and the host's own keys",
    route: 'GET /api/projects/{id}/deploy-key',
    input: ById,
    output: DeployKey,
  }),
  renew: mutation({
    summary: 'Make a deploy key, in the place of the one that there is',
    route: 'POST /api/projects/{id}/deploy-key',
    perMinute: 20,
    input: ById,
    output: DeployKey,
  }),
  forgetHost: mutation({
    summary: "Forget the Git host's keys: those that it has at the next deployment are trusted",
    route: 'DELETE /api/projects/{id}/deploy-key/host-keys',
    refusals: { 404: 'There is no such project, or it has no deploy key' },
    perMinute: 20,
    input: ById,
    output: Success,
  }),
};
