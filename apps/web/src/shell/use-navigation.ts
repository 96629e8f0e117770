import { useIsSelling } from '../lib/use-is-selling.ts';
import { useUser } from '../lib/use-user.ts';
import { navigationFor } from './navigation.ts';

/** The pages that the signed-in person may open, as they are called on this server. */
export function useNavigation() {
  const { role } = useUser();
  return navigationFor(role, { billing: useIsSelling() });
}
