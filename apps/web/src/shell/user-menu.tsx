import { Link } from '@tanstack/react-router';
import { LogOut, UserRound } from 'lucide-react';
import { Avatar } from '../ui/avatar.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu.tsx';
import { LOGOUT_PATH } from './account-paths.ts';
import { displayName, initials } from './person.ts';
import { useUser } from './use-user.ts';

/** The user control of the header. */
export function UserMenu() {
  const user = useUser();
  const name = displayName(user);
  return (
    <DropdownMenu>
      <DropdownMenuTrigger className="flex size-9 items-center justify-center rounded-full transition-colors hover:bg-hover data-[state=open]:bg-hover">
        <Avatar src={user.profileImageUrl} fallback={initials(user)} className="size-7" />
        <span className="sr-only">Account of {name}</span>
      </DropdownMenuTrigger>
      <DropdownMenuContent className="w-60">
        <DropdownMenuLabel>
          <p className="truncate font-medium">{name}</p>
          <p className="truncate text-faint text-sm">{user.email}</p>
        </DropdownMenuLabel>
        <DropdownMenuSeparator />
        <DropdownMenuItem asChild>
          <Link to="/account">
            <UserRound aria-hidden="true" />
            Account
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <a href={LOGOUT_PATH}>
            <LogOut aria-hidden="true" />
            Log out
          </a>
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
