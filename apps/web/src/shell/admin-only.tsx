import { NON_ADMIN_REDIRECT_DELAY } from '@nephos/contracts/constants';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useUser } from '../lib/use-user.ts';
import { toast } from '../ui/toast.ts';

/** Shows its children to admins; others are told, and led back to `/` a second later. */
export function AdminOnly({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const allowed = useUser().role === 'admin';

  useEffect(() => {
    if (allowed) return;
    toast({
      title: 'Access Denied',
      description: 'You do not have permission to access this page.',
      variant: 'destructive',
    });
    const timer = setTimeout(() => void navigate({ to: '/' }), NON_ADMIN_REDIRECT_DELAY);
    return () => clearTimeout(timer);
  }, [allowed, navigate]);

  return allowed ? children : null;
}
