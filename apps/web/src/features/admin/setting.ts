/** What is done once a setting was saved. */
export interface OnSaved {
  onSaved?: () => void;
}

/** For a setting that the environment has. */
export const setAs = (variable: string) => `Set as ${variable} in the server's environment.`;
