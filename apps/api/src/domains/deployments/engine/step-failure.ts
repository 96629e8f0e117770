import type { DeploymentStep } from '@nephos/contracts';
import { Hopeless } from '../../../platform/persistently.ts';

/** A deployment cannot go on; the message is one sentence for a person that names the step and the reason. */
export class StepFailure extends Hopeless {
  override readonly name = 'StepFailure';
  readonly step: DeploymentStep;

  constructor(step: DeploymentStep, message: string) {
    super(message);
    this.step = step;
  }
}
