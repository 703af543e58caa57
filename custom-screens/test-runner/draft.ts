import type { KeptFile } from './keptFiles';
import type { FoundResult, PersonResult, Step, StoredAttempt } from './runnerApi';

/** What a tester found so far in a test that is not saved. */
export interface Draft {
  /** Chosen for the whole test, instead of what its steps say. */
  readonly chosen?: PersonResult;
  /** By the number of the step, from 1. */
  readonly steps: Readonly<Record<number, { readonly result?: PersonResult; readonly comment?: string }>>;
  readonly comment: string;
  /** What was seen: pictures, recordings, logs. */
  readonly files?: readonly DraftFile[];
}

/** A file of a draft. */
export interface DraftFile extends KeptFile {
  /** The number of the step at which it was seen; none: it belongs to the whole test. */
  readonly step?: number;
}

export const emptyDraft: Draft = { steps: {}, comment: '' };

export const isEmptyDraft = ({ chosen, steps, comment, files = [] }: Draft): boolean =>
  chosen === undefined && comment === '' && Object.keys(steps).length === 0 && files.length === 0;

/**
 * What the results of the steps say of the whole test: failed or blocked as soon as one step is; passed or skipped only
 * when every step has a result. Undefined: nothing yet.
 */
export function resultOfSteps(draft: Draft, count: number): PersonResult | undefined {
  const found = Array.from({ length: count }, (_, index) => draft.steps[index + 1]?.result);
  if (found.includes('failed')) return 'failed';
  if (found.includes('blocked')) return 'blocked';
  if (count === 0 || found.includes(undefined)) return undefined;
  return found.every((result) => result === 'skipped') ? 'skipped' : 'passed';
}

/** The result of the whole test as it would be saved. */
export const draftResult = (draft: Draft, count: number): PersonResult | undefined =>
  draft.chosen ?? resultOfSteps(draft, count);

/** Sets the result of a step; the same again takes it back. */
export function withStepResult(draft: Draft, index: number, result: PersonResult): Draft {
  const { result: before, ...rest } = draft.steps[index] ?? {};
  const next = before === result ? rest : { ...rest, result };
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

/** A draft as it is stored. A step that has a comment or files but no result has that of the whole test. */
export function foundResult(draft: Draft, result: PersonResult, seconds: number | null): FoundResult {
  const numbers = new Set(Object.keys(draft.steps).map(Number));
  for (const { step } of draft.files ?? []) if (step !== undefined) numbers.add(step);
  const steps = [...numbers]
    .toSorted((one, other) => one - other)
    .map((index) => {
      const step = draft.steps[index];
      // As the form counts them.
      const evidence = (draft.files ?? []).flatMap((file, place) => (file.step === index ? [place + 1] : []));
      return {
        index,
        result: step?.result ?? result,
        comment: step?.comment?.trim() || null,
        ...(evidence.length > 0 && { evidence }),
      };
    });
  return { result, comment: draft.comment.trim() || null, elapsed_seconds: seconds, steps };
}

/** What was stored of a test, as if it was not saved yet; without its files. */
export function draftOfAttempt({ comment, message, details, steps }: StoredAttempt): Draft {
  // Details often begin with the message.
  const said = details?.startsWith(message ?? '') ? [details] : [message, details];
  const text = comment ?? said.filter(Boolean).join('\n');
  const found = (steps ?? []).map((step) => [
    step.index,
    { result: step.result, ...(step.comment && { comment: step.comment }) },
  ]);
  return { steps: Object.fromEntries(found) as Draft['steps'], comment: text };
}

/** The description of a defect: the steps up to the one that failed, what was expected, and what happened instead. */
export function defectText(
  pinned: { readonly steps?: readonly Step[]; readonly steps_to_reproduce?: string; readonly expected_result?: string },
  draft: Draft,
): { steps: string; expected: string; actual: string } {
  const all = pinned.steps ?? [];
  const wrong = all.findIndex((_, index) => ['failed', 'blocked'].includes(draft.steps[index + 1]?.result ?? ''));
  const until = wrong < 0 ? all : all.slice(0, wrong + 1);
  const lines = until.map(({ action, data }, index) => `${index + 1}. ${action}${data ? ` (${data})` : ''}`);
  const comments = [wrong < 0 ? undefined : draft.steps[wrong + 1]?.comment, draft.comment].filter(Boolean);
  return {
    steps: lines.length > 0 ? lines.join('\n') : (pinned.steps_to_reproduce ?? ''),
    expected: (wrong < 0 ? pinned.expected_result : all[wrong]?.expected) ?? '',
    actual: comments.join('\n'),
  };
}
