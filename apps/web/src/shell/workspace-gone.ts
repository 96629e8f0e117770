import { toast } from '../ui/toast.ts';

/** `personal`: whether the person is in their own workspace now, and not in another shared one. */
export function sayWorkspaceGone(name: string, { personal }: { personal: boolean }): void {
  toast({
    title: `You're no longer in ${name}`,
    description: `You left it, were removed, or it was deleted.${personal ? ' This is your own workspace.' : ''}`,
    variant: 'destructive',
  });
}
