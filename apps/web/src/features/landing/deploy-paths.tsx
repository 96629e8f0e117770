import { ArrowRight, GitBranch, Laptop, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { SIGNUP_PATH } from '../../lib/account-paths.ts';
import { Badge } from '../../ui/badge.tsx';
import { buttonStyles } from '../../ui/button-styles.ts';
import { Commands } from './commands.tsx';
import { Section } from './section.tsx';
import { Window } from './window.tsx';

const PIPELINE = [
  { step: 'Clone', text: 'Latest commit of the branch' },
  { step: 'Build', text: 'In a separate folder' },
  { step: 'Start', text: 'Next to the running version' },
  { step: 'Check', text: 'Until the app responds' },
  { step: 'Switch', text: 'New requests go to it' },
];

const FORM = [
  ['Name', 'Shop'],
  ['Repository', 'https://github.com/acme/shop'],
  ['Branch', 'main'],
  ['Framework', 'Node.js'],
] as const;

export interface DeployPathsProps {
  /** Whether members may deploy, not admins alone. */
  membersDeploy: boolean;
}

export function DeployPaths({ membersDeploy }: DeployPathsProps) {
  return (
    <Section
      id="deploy"
      eyebrow="Deploy"
      title="From GitHub or your local computer"
      lead={`Two ways to deploy, the same five steps.${membersDeploy ? '' : ' On this server, only admins can deploy.'}`}
    >
      <Pipeline />
      <div className="mt-16 grid gap-x-4 gap-y-12 lg:grid-cols-2 lg:gap-x-16">
        <DeployPath
          icon={GitBranch}
          title="Deploy via GitHub"
          text="Paste the URL of a repository, then pick a branch and a framework. Nephos installs, builds and starts the app."
          action="Deploy from GitHub"
        >
          <NewProject />
        </DeployPath>
        <DeployPath
          icon={Laptop}
          title="Deploy from your local computer"
          text="Create a project and push to it with an access token from your account page. The build log comes back in your terminal."
          action="Deploy from your computer"
        >
          <Commands origin={window.location.origin} />
        </DeployPath>
      </div>
    </Section>
  );
}

interface DeployPathProps {
  icon: LucideIcon;
  title: string;
  text: string;
  action: string;
  /** A picture of it. */
  children: ReactNode;
}

function DeployPath({ icon: Icon, title, text, action, children }: DeployPathProps) {
  return (
    <article className="flex min-w-0 flex-col">
      <h3 className="flex items-center gap-3 text-xl tracking-tight">
        <Icon aria-hidden="true" className="size-5 shrink-0 text-accent-text" />
        {title}
      </h3>
      <p className="mt-3 max-w-lg text-lg text-muted">{text}</p>
      <div className="my-8">{children}</div>
      <a href={SIGNUP_PATH} className={buttonStyles({ className: 'mt-auto self-start' })}>
        {action}
        <ArrowRight aria-hidden="true" />
      </a>
    </article>
  );
}

/** A filled form, and what comes of it. */
function NewProject() {
  return (
    <div aria-hidden="true">
      <Window title="New Project">
        <div className="px-5 py-4 font-mono text-sm leading-8">
          {FORM.map(([label, value]) => (
            <p key={label} className="flex gap-4">
              <span className="w-24 shrink-0 text-faint">{label}</span>
              <span className="truncate text-muted">{value}</span>
            </p>
          ))}
        </div>
        <p className="flex items-center gap-3 border-line border-t px-5 py-4 font-mono text-muted text-sm">
          <span className="truncate">shop.example.com</span>
          <Badge tone="success" className="ml-auto">
            Running
          </Badge>
        </p>
      </Window>
    </div>
  );
}

/** The five steps on one line; below each other where it is narrow. */
function Pipeline() {
  return (
    <ol className="grid gap-y-6 md:grid-cols-5">
      {PIPELINE.map(({ step, text }, index) => (
        <li key={step} className="flex gap-4 md:block">
          <div aria-hidden="true" className="flex items-center max-md:pt-0.5">
            <span className="flex size-7 shrink-0 items-center justify-center rounded-full border border-accent-text bg-accent-soft font-mono text-accent-text text-xs">
              {index + 1}
            </span>
            <span className="h-px grow bg-line-strong max-md:hidden" />
          </div>
          <div className="md:mt-4 md:pr-6">
            <p className="font-medium text-lg">{step}</p>
            <p className="text-muted">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
