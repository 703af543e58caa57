import type { KeptFile } from './keptFiles';
import type { FoundResult, PersonResult, Step, StoredAttempt } from './runnerApi';

/** A tester's findings in a test so far, not saved. */
export interface Draft {
  /** Chosen for the whole test, instead of what its steps say. */
  readonly chosen?: PersonResult;
  /** By the number of the step, from 1. */
  readonly steps: Readonly<Record<number, { readonly result?: PersonResult; readonly comment?: string }>>;
  readonly comment: string;
  /** Evidence: pictures, recordings, logs. */
  readonly files?: readonly DraftFile[];
}

/** A file of a draft. */
export interface DraftFile extends KeptFile {
  /** The number of the step at which it was seen; none: it belongs to the whole test. */
  readonly step?: number;
}

export const emptyDraft: Draft = { steps: {}, comment: '' };

export const isEmptyDraft = ({ chosen: result, steps, comment, files = [] }: Draft): boolean =>
  result === undefined && comment === '' && Object.keys(steps).length === 0 && files.length === 0;

/**
 * The result of the whole test that follows from its steps: failed or blocked as soon as one step is; passed or skipped only
 * when every step has a result. Undefined: nothing yet.
 */
export function resultOfSteps(draft: Draft, count: number): PersonResult | undefined {
  const results = Array.from({ length: count }, (_, index) => draft.steps[index + 1]?.result);
  if (results.includes('failed')) return 'failed';
  if (results.includes('blocked')) return 'blocked';
  if (count === 0 || results.includes(undefined)) return undefined;
  return results.every((result) => result === 'skipped') ? 'skipped' : 'passed';
}

/** The result of the whole test as it would be saved. */
export const draftResult = (draft: Draft, count: number): PersonResult | undefined =>
  draft.chosen ?? resultOfSteps(draft, count);

/** Sets the result of a step; the same again takes it back. */
export function withStepResult(draft: Draft, index: number, result: PersonResult): Draft {
  const { result: resultBefore, ...rest } = draft.steps[index] ?? {};
  const next = resultBefore === result ? rest : { ...rest, result };
  return { ...draft, steps: withoutEmpty({ ...draft.steps, [index]: next }) };
}

/** Sets the comment of a step. */
export function withStepComment(draft: Draft, index: number, comment: string): Draft {
  const { comment: _, ...rest } = draft.steps[index] ?? {};
  const next = comment === '' ? rest : { ...rest, comment };
  return { ...draft, steps: withoutEmpty({ ...draft.steps, [index]: next }) };
}

/** Adds files at the end. */
export const withFiles = (draft: Draft, files: readonly DraftFile[]): Draft => ({
  ...draft,
  files: [...(draft.files ?? []), ...files],
});

/** Takes a file away. */
export const withoutFile = (draft: Draft, id: string): Draft => ({
  ...draft,
  files: draft.files?.filter((file) => file.id !== id),
});

/** Passes every step that has no result. */
export function withRestPassed(draft: Draft, count: number): Draft {
  const steps = { ...draft.steps };
  for (let index = 1; index <= count; index++) steps[index] = { result: 'passed', ...steps[index] };
  return { ...draft, steps };
}

const withoutEmpty = (steps: Draft['steps']): Draft['steps'] =>
  Object.fromEntries(Object.entries(steps).filter(([, step]) => Object.keys(step).length > 0));

/** A draft of a test for which a defect is created: it failed, unless something else was found. */
export const withDefect = (draft: Draft, count: number): Draft =>
  draftResult(draft, count) === undefined ? { ...draft, chosen: 'failed' } : draft;

/** A draft as it is stored. A step that has a comment or files but no result has that of the whole test. */
export function foundResult(draft: Draft, result: PersonResult, seconds: number | null): FoundResult {
  const numbers = new Set(Object.keys(draft.steps).map(Number));
  for (const { step } of draft.files ?? []) if (step !== undefined) numbers.add(step);
  const steps = [...numbers]
    .toSorted((first, second) => first - second)
    .map((index) => {
      const step = draft.steps[index];
      // As the form counts them.
      const evidence = (draft.files ?? []).flatMap((file, fileIndex) => (file.step === index ? [fileIndex + 1] : []));
      return {
        index,
        result: step?.result ?? result,
        comment: step?.comment?.trim() || null,
        ...(evidence.length > 0 && { evidence }),
      };
    });
  return { result, comment: draft.comment.trim() || null, elapsed_seconds: seconds, steps };
}

/** A stored attempt as a draft, as if it was not saved yet; without its files. */
export function draftOfAttempt({ comment, message, details, steps }: StoredAttempt): Draft {
  // Details often begin with the message.
  const texts = details?.startsWith(message ?? '') ? [details] : [message, details];
  const text = comment ?? texts.filter(Boolean).join('\n');
  const stepDrafts = (steps ?? []).map((step) => [
    step.index,
    { result: step.result, ...(step.comment && { comment: step.comment }) },
  ]);
  return { steps: Object.fromEntries(stepDrafts) as Draft['steps'], comment: text };
}

/** The parts of the description of a defect. */
export interface DefectText {
  readonly heading: string;
  readonly steps: readonly string[];
  /** How the test case says that it is reproduced, if it has no steps. */
  readonly reproduction: string;
  readonly expectedResult: string;
  readonly actual: string;
  readonly failedStep: number | undefined;
}

/** The description of a defect: the steps up to the one that failed, which is marked, what was expected, and what happened instead. */
export function defectText(
  pinnedCase: {
    readonly steps?: readonly Step[];
    readonly steps_to_reproduce?: string;
    readonly expected_result?: string;
  },
  draft: Draft,
): DefectText {
  const steps = pinnedCase.steps ?? [];
  const failedIndex = steps.findIndex((_, index) =>
    ['failed', 'blocked'].includes(draft.steps[index + 1]?.result ?? ''),
  );
  const stepsToFailure = failedIndex < 0 ? steps : steps.slice(0, failedIndex + 1);
  const stepTexts = stepsToFailure.map(({ action, data }, index) => {
    const mark = index === failedIndex ? ` **· ${draft.steps[index + 1]?.result} here**` : '';
    return `${action}${data ? ` (${data})` : ''}${mark}`;
  });
  const comments = [failedIndex < 0 ? undefined : draft.steps[failedIndex + 1]?.comment, draft.comment].filter(Boolean);
  return {
    heading:
      failedIndex < 0
        ? 'Steps'
        : `Steps, ${draft.steps[failedIndex + 1]?.result} at ${failedIndex + 1} of ${steps.length}`,
    steps: stepTexts,
    reproduction: steps.length > 0 ? '' : (pinnedCase.steps_to_reproduce ?? ''),
    expectedResult: (failedIndex < 0 ? pinnedCase.expected_result : steps[failedIndex]?.expected) ?? '',
    actual: comments.join('\n'),
    failedStep: failedIndex < 0 ? undefined : failedIndex + 1,
  };
}
