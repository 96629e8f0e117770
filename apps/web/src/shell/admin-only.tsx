import { NON_ADMIN_REDIRECT_DELAY } from '@nephos/contracts/constants';
import { Link, useNavigate } from '@tanstack/react-router';
import { ShieldX } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useUser } from '../lib/use-user.ts';
import { buttonStyles } from '../ui/button-styles.ts';
import { toast } from '../ui/toast.ts';
import { useWindowTitle } from '../ui/use-window-title.ts';

/** Shows its children to admins; others are told, and led back to `/` a second later. */
export function AdminOnly({ children }: { children: ReactNode }) {
  return useUser().role === 'admin' ? children : <Refusal />;
}

function Refusal() {
  const navigate = useNavigate();
  useWindowTitle('Admins only');

  useEffect(() => {
    toast({
      title: 'Access Denied',
      description: 'You do not have permission to access this page.',
      variant: 'destructive',
    });
    const timer = setTimeout(() => void navigate({ to: '/' }), NON_ADMIN_REDIRECT_DELAY);
    return () => clearTimeout(timer);
  }, [navigate]);

  return (
    <div className="flex min-h-[70dvh] flex-col items-center justify-center px-6 text-center">
      <ShieldX aria-hidden="true" className="size-8 text-faint" />
      <h1 className="mt-5 font-semibold text-2xl tracking-tight">Admins only</h1>
      <p className="mt-2 text-muted">Ask an admin for access. Taking you to the home page…</p>
      <Link to="/" className={buttonStyles({ className: 'mt-6' })}>
        Go to the home page
      </Link>
    </div>
  );
}
