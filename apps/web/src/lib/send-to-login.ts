import { LOGIN_REDIRECT_DELAY } from '@nephos/contracts/constants';
import { toast } from '../ui/toast.ts';
import { LOGIN_PATH } from './account-paths.ts';

let leaving = false;

/**
 * Says that the session is over and goes to the login page half a second after that can be read, to return to this page
 * from there.
 */
export function sendToLogin(): void {
  if (leaving) return;
  leaving = true;
  toast({
    title: 'Unauthorized',
    description: 'You are logged out. Logging in again...',
    variant: 'destructive',
    onPainted: () => setTimeout(leave, LOGIN_REDIRECT_DELAY),
  });
}

function leave() {
  leaving = false;
  const { pathname, search } = window.location;
  window.location.assign(`${LOGIN_PATH}?returnTo=${encodeURIComponent(pathname + search)}`);
}
