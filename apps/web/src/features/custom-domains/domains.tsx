import type { CustomDomain } from '@nephos/contracts';
import { trpc } from '../../lib/trpc.ts';
import { DomainsSection } from './domains-section.tsx';

/** Milliseconds. */
const NEXT_LOOK = 3000;

/** Asks again while a domain's first certificate is on its way. */
const WATCHED = {
  refetchInterval: ({ state }: { state: { data?: { domains: readonly CustomDomain[] } | undefined } }) =>
    state.data?.domains.some(isUnderWay) ? NEXT_LOOK : false,
} as const;

function isUnderWay({ certificate, issuance }: CustomDomain): boolean {
  return certificate === null && issuance?.error === '';
}

/** At which domains a project's app answers. */
export function ProjectDomains({ projectId: id }: { projectId: string }) {
  const [domains] = trpc.customDomains.list.useSuspenseQuery({ id }, WATCHED);
  return <DomainsSection place={{ kind: 'project', id }} {...domains} />;
}

/** At which domains a bucket's site answers; nothing where it is no site and has none. */
export function BucketDomains({ bucketId: id }: { bucketId: string }) {
  const { data } = trpc.bucketSites.get.useQuery({ id }, WATCHED);
  if (!data || (data.index === null && data.domains.length === 0)) return null;
  const refusal = data.index === null ? 'Turn the web site on first.' : undefined;
  return <DomainsSection place={{ kind: 'bucket', id }} {...data} refusal={refusal} />;
}
