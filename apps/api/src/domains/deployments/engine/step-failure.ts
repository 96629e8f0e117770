import type { DeploymentStep } from '@nephos/contracts';

/** A deployment cannot go on; the message is one sentence for a person that names the step and the reason. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure';
  readonly step: DeploymentStep;

  constructor(step: DeploymentStep, message: string) {
    super(message);
    this.step = step;
  }
}
