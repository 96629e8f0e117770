import { useLocation } from '@tanstack/react-router';
import { LOGOUT_PATH } from './account-paths.ts';

/** Where the browser goes to log out: from an invitation, which is for who is signed out as well, back to it. */
export function useLogoutPath(): string {
  const path = useLocation({ select: ({ pathname }) => pathname });
  return path.startsWith('/join/')
    ? `${LOGOUT_PATH}?${new URLSearchParams({ returnTo: path })}`
    : LOGOUT_PATH;
}
