import type { FileValue } from '../../src/engine/field-types/stored-files';

/** A file that came with a result. */
export interface StoredFile extends FileValue {
  /** The number of the step at which it was seen; none: it belongs to the whole test. */
  readonly step?: number;
}

/** An attempt, as far as its files need it. */
export interface AttemptFiles {
  /** Undefined if the reader may not see it. */
  readonly evidence?: readonly FileValue[] | null;
  readonly steps?: readonly { readonly index: number; readonly evidence?: string | null }[] | null;
}

/** The files of an attempt with the steps at which they were seen: those of the whole test first, then by step. */
export function filesOfAttempt({ evidence, steps }: AttemptFiles): readonly StoredFile[] {
  const stepOf = new Map(
    (steps ?? []).flatMap((step) => (step.evidence ?? '').split('\n').map((name) => [name, step.index] as const)),
  );
  return (evidence ?? [])
    .map((file) => ({ ...file, step: stepOf.get(file.name) }))
    .toSorted((first, second) => (first.step ?? 0) - (second.step ?? 0));
}
