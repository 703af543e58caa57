/** The result of a step of `npm test`; a step that did not pass has a failure. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly { readonly name: string; readonly message: string }[];
}

export function vitestOutcome(
  report: unknown,
  errors: readonly string[] | undefined,
  ok: boolean,
  root: string,
): Outcome;
export function playwrightOutcome(report: unknown, ok: boolean): Outcome;
