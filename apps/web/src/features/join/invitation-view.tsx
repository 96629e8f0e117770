import type { WorkspaceInvitationState } from '@nephos/contracts';
import { WORKSPACE_ROLE_NAMES } from '@nephos/contracts/constants';
import { type LucideIcon, MailX, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useWindowTitle } from '../../ui/use-window-title.ts';

/** What is wrong with an invitation that lets nobody in any more. */
const CLOSED: Readonly<Record<Exclude<WorkspaceInvitationState['state'], 'open'>, string>> = {
  used: 'This invitation was used already',
  ended: 'This invitation has expired',
  revoked: 'This invitation was revoked',
};

export interface InvitationViewProps {
  /** Null: there is none of this link. */
  invitation: WorkspaceInvitationState | null;
  /** The address of who is signed in. */
  email?: string;
  /** What can be done with an open one. */
  children: ReactNode;
  /** The way out of one that is of no use. */
  away: ReactNode;
}

/** Who invites to what, as what; or why nobody can join by this link, and what to do. */
export function InvitationView({ invitation, email, children, away }: InvitationViewProps) {
  useWindowTitle('Invitation');
  if (!invitation) {
    return (
      <Screen icon={MailX} title="There is no such invitation" action={away}>
        Check that the link is complete, or ask for a new one.
      </Screen>
    );
  }
  const { workspace, role, invitedBy, state } = invitation;
  if (state !== 'open') {
    return (
      <Screen icon={MailX} title={CLOSED[state]} action={away}>
        Ask {invitedBy ?? `an owner of ${workspace}`} for a new one to join {workspace}.
      </Screen>
    );
  }
  if (email !== undefined && invitation.email !== null && invitation.email !== email) {
    return (
      <Screen icon={MailX} title="This invitation is for a different address" action={away}>
        It is for {invitation.email}, and you are logged in as {email}. Log in as {invitation.email}, or ask{' '}
        {invitedBy ?? `an owner of ${workspace}`} for an invitation to your address.
      </Screen>
    );
  }
  return (
    <Screen icon={UserPlus} title={`Join ${workspace}`} action={children}>
      {invitedBy === null
        ? `You're invited as ${articleOf(WORKSPACE_ROLE_NAMES[role])} ${WORKSPACE_ROLE_NAMES[role]}.`
        : `${invitedBy} invites you as ${WORKSPACE_ROLE_NAMES[role]}.`}
      {invitation.email !== null && email === undefined && ` The invitation is for ${invitation.email}.`}
    </Screen>
  );
}

const articleOf = (noun: string) => (/^[AEIOU]/.test(noun) ? 'an' : 'a');

interface ScreenProps {
  icon: LucideIcon;
  title: string;
  action: ReactNode;
  children: ReactNode;
}

function Screen({ icon: Icon, title, action, children }: ScreenProps) {
  return (
    <div className="flex min-h-[70dvh] grow flex-col items-center justify-center px-6 text-center">
      <span className="flex size-12 items-center justify-center rounded-xl border border-line bg-surface text-muted">
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <h1 className="mt-5 max-w-full break-words font-semibold text-2xl tracking-tight">{title}</h1>
      <p className="mt-2 max-w-md break-words text-muted">{children}</p>
      <div className="mt-6 flex flex-wrap justify-center gap-2">{action}</div>
    </div>
  );
}
