import { trpc } from '../lib/trpc.ts';
import { useUser } from '../lib/use-user.ts';
import { navigationFor } from './navigation.ts';

/** The pages that the signed-in person may open, as they are called on this server. */
export function useNavigation() {
  const { role } = useUser();
  const { data: status } = trpc.billing.status.useQuery();
  return navigationFor(role, { billing: status?.enabled !== false });
}
