import { type CustomDomain, customDomains } from '@nephos/contracts';
import { found, implement, success } from './mock-implement.ts';
import { MOCK_CERTIFICATE, type MockWorld, mockDomain } from './mock-world.ts';

interface Call<Input> {
  ctx: { world: MockWorld };
  input: Input;
}

type Named = Call<{ domain: string }>;

/** The domains of whatever they lead to. */
export const domainCalls = {
  add: ({ ctx: { world }, input: { domain } }: Named) => {
    const pending = { status: 'pending', isPrimary: false, pointsHere: null } as const;
    const added = mockDomain({ ...pending, domain, reason: 'No TXT record was found.' });
    world.domains = [...world.domains, added];
    return added;
  },
  update: ({
    ctx: { world },
    input: { domain, isPrimary, redirects },
  }: Call<{ domain: string; isPrimary?: true | undefined; redirects?: boolean | undefined }>) => {
    world.domains = world.domains.map((other) => {
      if (other.domain !== domain) return isPrimary ? { ...other, isPrimary: false } : other;
      return { ...other, isPrimary: isPrimary ?? other.isPrimary, redirects: redirects ?? other.redirects };
    });
    return domainNamed(world, domain);
  },
  check: ({ ctx: { world }, input: { domain } }: Named) => {
    const seen = { status: 'active', reason: '' } as const;
    world.domains = world.domains.map((other) =>
      other.domain === domain && world.domainProofSeen ? { ...other, ...seen } : other,
    );
    return domainNamed(world, domain);
  },
  setCertificate: ({ ctx: { world }, input: { domain } }: Named) =>
    giveCertificate(world, domain, { ...MOCK_CERTIFICATE, httpsOnly: true }),
  updateCertificate: ({
    ctx: { world },
    input: { domain, httpsOnly },
  }: Call<{ domain: string; httpsOnly: boolean }>) =>
    giveCertificate(world, domain, { ...MOCK_CERTIFICATE, httpsOnly }),
  removeCertificate: ({ ctx: { world }, input: { domain } }: Named) => {
    giveCertificate(world, domain, null);
    return success;
  },
  issueCertificate: ({ ctx: { world }, input: { domain } }: Named) => {
    world.domains = world.domains.map((other) =>
      other.domain === domain && other.issuance
        ? {
            ...other,
            certificate: { ...MOCK_CERTIFICATE, managed: true },
            issuance: { ...other.issuance, error: '' },
          }
        : other,
    );
    return domainNamed(world, domain);
  },
  remove: ({ ctx: { world }, input }: Named) => {
    world.domains = world.domains.filter(({ domain }) => domain !== input.domain);
    return success;
  },
};

export const customDomainsMock = implement(customDomains, {
  ...domainCalls,
  list: ({ ctx }) => ({
    target: 'shop.apps.example.net',
    addresses: ['192.0.2.1'],
    served: ctx.world.servedDomains,
    servesHttps: ctx.world.servesHttps,
    domains: ctx.world.domains,
  }),
  records: ({ ctx }) => ctx.world.leadingRecords,
  point: ({ ctx }) => ctx.world.leadingRecords,
});

function giveCertificate(world: MockWorld, name: string, certificate: CustomDomain['certificate']) {
  world.domains = world.domains.map((other) => (other.domain === name ? { ...other, certificate } : other));
  return domainNamed(world, name);
}

function domainNamed({ domains }: MockWorld, name: string) {
  return found(domains, domains.find(({ domain }) => domain === name)?.id ?? '');
}
