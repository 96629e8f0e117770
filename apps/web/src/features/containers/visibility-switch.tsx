import type { ContainerImage } from '@nephos/contracts';
import { useAction } from '../../lib/use-action.ts';
import { VisibilityIcon } from '../../lib/visibility.tsx';
import { trpc } from '../../trpc.ts';
import { Field } from '../../ui/field.tsx';
import { Switch } from '../../ui/switch.tsx';

/** Who may pull; saved at once. */
export function VisibilitySwitch({ image: { id, name, isPublic } }: { image: ContainerImage }) {
  const utils = trpc.useUtils();
  const change = useAction(trpc.containers.update.useMutation(), {
    success: isPublic ? 'Image made private' : 'Image made public',
    failure: 'Failed to change the image',
    serverSpeaks: true,
    refresh: [utils.containers.get, utils.containers.list],
  });
  return (
    <div className="mt-5 flex items-start gap-3 border-line border-t pt-4">
      <span className="pt-0.5">
        <VisibilityIcon isPublic={isPublic} />
      </span>
      <Field
        label="Public"
        hint={`Anyone can pull a public image without logging in. It holds for all tags of ${name}.`}
      >
        <Switch
          checked={isPublic}
          disabled={change.pending}
          onCheckedChange={(checked) => change.run({ id, isPublic: checked })}
        />
      </Field>
    </div>
  );
}
