import type { ContainerImage } from '@nephos/contracts';
import { Link } from '@tanstack/react-router';
import { Terminal } from 'lucide-react';
import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useUser } from '../../lib/use-user.ts';
import { Button } from '../../ui/button.tsx';
import type { ButtonSize } from '../../ui/button-styles.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../../ui/tabs.tsx';
import {
  dockerCommands,
  needsInsecureRegistry,
  type RegistryCommand,
  skopeoCommands,
} from './registry-commands.ts';

export interface PullInstructionsProps {
  image: ContainerImage;
  size?: ButtonSize;
}

/** Shows the commands that log in to the registry, pull this image and push a new one in its place. */
export function PullInstructions({ image, size = 'sm' }: PullInstructionsProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        size={size}
        aria-label={`Pull Instructions for ${image.name}:${image.tag}`}
        onClick={() => setOpen(true)}
      >
        <Terminal aria-hidden="true" />
        Pull Instructions
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent title="Pull Instructions" description={`${image.name}:${image.tag}`} wide>
          <Instructions image={image} />
        </DialogContent>
      </Dialog>
    </>
  );
}

function Instructions({ image }: { image: ContainerImage }) {
  const [registry] = trpc.containers.registry.useSuspenseQuery();
  const { email } = useUser();
  const target = { registry, image, email };
  return (
    <>
      <p className="text-muted">
        {image.isPublic
          ? 'Anyone can pull this image without logging in. To push, log in'
          : 'This image is private. Log in'}{' '}
        with your email as the username and an{' '}
        <Link
          to="/account"
          hash="tokens"
          className="rounded-sm text-accent-text underline underline-offset-4"
        >
          access token
        </Link>{' '}
        as the password.
      </p>
      <Tabs defaultValue="docker" className="mt-3">
        <TabsList aria-label="Client">
          <TabsTrigger value="docker">Docker</TabsTrigger>
          <TabsTrigger value="skopeo">skopeo</TabsTrigger>
        </TabsList>
        <TabsContent value="docker" className="flex flex-col gap-4">
          {needsInsecureRegistry(registry) && <InsecureRegistry host={registry.host} />}
          <Commands commands={dockerCommands(target)} />
        </TabsContent>
        <TabsContent value="skopeo" className="flex flex-col gap-4">
          <Commands commands={skopeoCommands(target)} />
        </TabsContent>
      </Tabs>
    </>
  );
}

function InsecureRegistry({ host }: { host: string }) {
  return (
    <Notice tone="warning" title="This console uses plain HTTP">
      Docker only allows this if <code>{host}</code> is listed under <code>insecure-registries</code> in{' '}
      <code>/etc/docker/daemon.json</code>.
    </Notice>
  );
}

function Commands({ commands }: { commands: readonly RegistryCommand[] }) {
  return commands.map(({ label, command }) => (
    <div key={label}>
      <h3 className="mb-1.5 font-medium text-sm">{label}</h3>
      <CodeBlock code={command} label={`${label} command`} wrap />
    </div>
  ));
}
