import { FactorDemandSwitch, SAVED } from '../../lib/factor-demand-switch.tsx';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { FRESH } from './fresh.ts';

/** Whether everyone on this server has to have a second factor. */
export function FactorDemand() {
  const utils = trpc.useUtils();
  const demand = trpc.admin.secondFactor.useQuery(undefined, FRESH);
  const change = useAction(trpc.admin.demandSecondFactor.useMutation(), {
    ...SAVED,
    refresh: [utils.admin.secondFactor, utils.auth.factors],
  });
  return (
    <FactorDemandSwitch
      query={demand}
      action={change}
      what="this server"
      onChange={(demanded) => change.run({ demanded })}
    />
  );
}
