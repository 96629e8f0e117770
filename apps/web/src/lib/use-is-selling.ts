import { trpc } from './trpc.ts';

/** Whether this server sells anything; as long as it is not known, it does. */
export function useIsSelling(): boolean {
  const { data: status } = trpc.billing.status.useQuery();
  return status?.enabled !== false;
}
