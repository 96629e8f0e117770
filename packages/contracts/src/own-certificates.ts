import { z } from 'zod';
import { DNS_NAME_MAX } from './dns-names.ts';
import { mutation } from './kit.ts';

/** The certificate of a name of the server's own, or that it has none. */
export const OwnCertificate = z.object({
  /** A host name, or `*.` and one. */
  name: z.string(),
  /** Until when it is valid; null: there is none. */
  endsAt: z.iso.datetime().nullable(),
  /** Why the authority issued nothing the last time, in its own words; '' where nothing failed. */
  error: z.string(),
  /** When it is asked again; of a certificate without a failure, when that is renewed. */
  dueAt: z.iso.datetime(),
});
export type OwnCertificate = z.output<typeof OwnCertificate>;

export const ownCertificates = {
  issueCertificate: mutation({
    summary: "Ask the certificate authority for a certificate of the server's own again, after it failed",
    route: 'POST /api/admin/certificates/issue',
    access: 'admin',
    refusals: { 409: 'Nothing failed', 503: 'No certificate authority is set up' },
    perMinute: 30,
    input: z.object({ name: z.string().min(1).max(DNS_NAME_MAX) }),
    output: OwnCertificate,
  }),
};
