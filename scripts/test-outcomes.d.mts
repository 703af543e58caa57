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

/** A test file and the milliseconds that it took. */
export interface TimedFile {
  readonly name: string;
  readonly milliseconds: number;
}

export function playwrightFiles(report: unknown): TimedFile[];
export function slowest(files: readonly TimedFile[], root: string): TimedFile[];
