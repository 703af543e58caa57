/** A value that a record would get, as whoever tries an automation out may see it. */
export interface TriedValue {
  readonly field: string;
  readonly label: string;
  readonly value: unknown;
  /** In words; relations by the titles of their records. */
  readonly text: string;
}

/** The effect that a step would have, as far as the person who tries it out may see it. */
export interface TriedStep {
  readonly step: string;
  readonly text: string;
  readonly messages?: readonly { readonly user: string; readonly text: string }[];
  readonly mail?: {
    readonly user: string | null;
    readonly address: string;
    readonly subject: string;
    readonly text: string;
  };
  readonly records?: readonly { readonly resource: string; readonly values: readonly TriedValue[] }[];
  readonly webhook?: { readonly name: string; readonly body: string };
}

/** The effect that an automation would have on a stored record, as told by `POST modules/{name}/try`. */
export interface TriedAutomation {
  readonly name: string;
  readonly label: string;
  readonly runs: boolean;
  /** Why it would run, or why not. */
  readonly reason: string;
  /** The parts of its condition that do not hold. */
  readonly unmet: readonly string[];
  /** With whose permissions. */
  readonly as: string | null;
  readonly state: 'done' | 'refused' | null;
  /** The refusal, if there would be one. */
  readonly message: string | null;
  readonly steps: readonly TriedStep[];
}
