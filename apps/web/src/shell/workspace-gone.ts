import { toast } from '../ui/toast.ts';

export function sayWorkspaceGone(name: string): void {
  toast({
    title: `You're no longer in ${name}`,
    description: 'You left it, were removed, or it was deleted. This is your own workspace.',
    variant: 'destructive',
  });
}
