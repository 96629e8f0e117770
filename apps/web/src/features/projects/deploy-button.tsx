import type { Project } from '@nephos/contracts';
import { ChevronDown, Eraser, Rocket } from 'lucide-react';
import { hasSource } from '../../lib/deployment-status.tsx';
import { useRunButton } from '../../lib/run-refusal.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useDeploymentAction } from '../../lib/use-deployment-changes.ts';
import { LateMenu, MenuItem } from '../../shell/late-menu.tsx';
import { Button } from '../../ui/button.tsx';
import type { ButtonVariant } from '../../ui/button-styles.ts';

export interface DeployButtonProps {
  project: Pick<Project, 'id' | 'repositoryUrl' | 'pushed' | 'image' | 'template' | 'recipe'>;
  variant?: ButtonVariant;
  /** Whether a menu beside it offers a build without the cache. */
  hasMenu?: boolean;
}

/** Queues a deployment of the branch's newest commit, of the template, or of what the image's tag names now. */
export function DeployButton({ project, variant = 'secondary', hasMenu = false }: DeployButtonProps) {
  const deploy = useDeploymentAction(trpc.deployments.create.useMutation(), {
    success: 'Deployment queued',
    failure: 'Failed to start the deployment',
  });
  const run = useRunButton(project.id);
  const sourceless = hasSource(project) ? undefined : 'Push to it, or add a repository or an image first';
  const reason = deploy.forbidden ?? run.reason ?? sourceless;
  const button = (
    <Button
      variant={variant}
      pending={deploy.pending}
      reason={reason}
      className={hasMenu && !project.image ? 'rounded-r-none' : undefined}
      onClick={() => deploy.run({ id: project.id })}
    >
      {!deploy.pending && <Rocket aria-hidden="true" />}
      Deploy
    </Button>
  );
  // What is pulled is not built, so there is no cache to clear.
  if (!hasMenu || project.image) return button;
  return (
    <div className="inline-flex gap-px">
      {button}
      <BuildMenu
        variant={variant}
        disabled={deploy.pending}
        reason={reason}
        onClear={() => deploy.run({ id: project.id, clearCache: true })}
      />
    </div>
  );
}

interface BuildMenuProps {
  variant: ButtonVariant;
  disabled: boolean;
  reason: string | undefined;
  onClear: () => void;
}

function BuildMenu({ variant, disabled, reason, onClear }: BuildMenuProps) {
  const button = (
    <Button
      variant={variant}
      disabled={disabled}
      reason={reason}
      aria-label="Build options"
      className="rounded-l-none px-2"
    >
      <ChevronDown aria-hidden="true" />
    </Button>
  );
  // A menu would open from it all the same.
  if (reason !== undefined) return button;
  return (
    <LateMenu className="max-w-80" button={button}>
      <MenuItem className="items-start py-1.5" onSelect={onClear}>
        <Eraser aria-hidden="true" className="mt-0.5" />
        <span>
          Clear cache and deploy
          <span className="block text-muted text-sm">
            Builds everything again. Deploy reuses the last build if nothing has changed.
          </span>
        </span>
      </MenuItem>
    </LateMenu>
  );
}
