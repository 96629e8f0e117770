import { LOGIN_REDIRECT_DELAY } from '@nephos/contracts/constants';
import { toast } from '../ui/toast.ts';
import { LOGIN_PATH } from './account-paths.ts';

let leaving = false;

/** Says that the session is over and goes to the login page half a second later, to return to this page after it. */
export function sendToLogin(): void {
  if (leaving) return;
  leaving = true;
  toast({
    title: 'Unauthorized',
    description: 'You are logged out. Logging in again...',
    variant: 'destructive',
  });
  const { pathname, search } = window.location;
  const returnTo = encodeURIComponent(pathname + search);
  setTimeout(() => {
    leaving = false;
    window.location.assign(`${LOGIN_PATH}?returnTo=${returnTo}`);
  }, LOGIN_REDIRECT_DELAY);
}
