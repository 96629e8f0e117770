import { FactorDemandSwitch, SAVED } from '../../lib/factor-demand-switch.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useWorkspace } from '../../lib/use-workspace.ts';
import { Card, CardHeader } from '../../ui/card.tsx';

/** Whether members have to have a second factor. */
export function FactorDemandCard() {
  const { id } = useWorkspace();
  const utils = trpc.useUtils();
  const demand = trpc.workspaces.secondFactor.useQuery({ id });
  const change = useAction(trpc.workspaces.demandSecondFactor.useMutation(), {
    ...SAVED,
    refresh: [utils.workspaces.secondFactor, utils.auth.factors],
  });
  return (
    <Card>
      <CardHeader
        title="Two-step login"
        description="A second proof besides the password, from every member."
      />
      <div className="mt-4">
        <FactorDemandSwitch
          query={demand}
          action={change}
          what="this workspace"
          onChange={(demanded) => change.run({ id, demanded })}
        />
      </div>
    </Card>
  );
}
