import { toast } from '../ui/toast.ts';

let left: string | undefined;

/** From now on nothing is said of a workspace, by its id, that the person leaves or deletes themself. */
export function knowWorkspaceGone(id: string): void {
  left = id;
}

/** `personal`: whether the person is in their own workspace now, and not in another shared one. */
export function sayWorkspaceGone(
  { id, name }: { id: string; name: string },
  { personal }: { personal: boolean },
): void {
  if (id === left) return;
  toast({
    title: `You're no longer in ${name}`,
    description: `You left it, were removed, or it was deleted.${personal ? ' This is your own workspace.' : ''}`,
    variant: 'destructive',
  });
}
