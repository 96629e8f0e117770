import type { User } from '@nephos/contracts';
import { useAction } from '../../lib/use-action.ts';
import { trpc } from '../../trpc.ts';
import { firstRows, useAdminView } from './admin-search.ts';

/** Gives someone else another role; `changing` is that role while it is under way. */
export function useChangeRole({ id }: User, onDone: () => void) {
  const utils = trpc.useUtils();
  const { words } = useAdminView();
  const mutation = trpc.admin.changeRole.useMutation();

  /** The answer is shown at once; that the list is fetched again shows what else changed. */
  function show(changed: User) {
    utils.admin.users.setInfiniteData(
      firstRows(words),
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((users) => users.map((user) => (user.id === id ? changed : user))),
        },
    );
  }

  const change = useAction(mutation, {
    success: 'User role updated successfully',
    failure: 'Failed to update user role',
    serverSpeaks: true,
    refresh: [utils.admin.users, utils.admin.totals],
    onDone: (changed) => {
      show(changed);
      onDone();
    },
  });
  return { change, changing: mutation.isPending ? mutation.variables.role : undefined };
}
