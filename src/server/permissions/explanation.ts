import type { Action } from '../../engine/definitions/definition';

/** What is asked about: an action on a module, on one of its records, on one of its fields. */
export interface Question {
  readonly action: Action;
  readonly id?: number;
  readonly field?: string;
}

/** What a decision passes one after the other; `guard` is what the program sees to besides grants and rules. */
export const stepKinds = ['grant', 'company', 'row', 'archive', 'field', 'guard'] as const;
export type StepKind = (typeof stepKinds)[number];

/** One step of a decision. The first that failed decides, and those after it are not reached. */
export interface Step {
  readonly kind: StepKind;
  readonly outcome: 'passed' | 'failed' | 'notReached';
  /** One sentence or more. */
  readonly text: string;
  /** The condition of the rule, as it is read: `created_by = me`. */
  readonly condition?: string;
}

/** Why somebody may do something, or may not. */
export interface Explanation {
  readonly allowed: boolean;
  /** A sentence. */
  readonly reason: string;
  /** The grant that decides, where it is held. */
  readonly grant: string | null;
  /** What the rules that decide allow, in words. */
  readonly rule: string | null;
  readonly steps: readonly Step[];
}

/** Gathers the steps of a decision in their order; after one that failed nothing counts any more. */
export class Steps {
  private readonly taken: Step[] = [];

  get failed(): boolean {
    return this.taken.some(({ outcome }) => outcome === 'failed');
  }

  pass(kind: StepKind, text: string, condition?: string): void {
    this.taken.push({ kind, outcome: 'passed', text, ...(condition && { condition }) });
  }

  fail(kind: StepKind, text: string, condition?: string): void {
    this.taken.push({ kind, outcome: 'failed', text, ...(condition && { condition }) });
  }

  /** All steps: grant, row and field are always among them, the others where they had something to say. */
  all(): Step[] {
    return stepKinds.flatMap((kind): Step[] => {
      const taken = this.taken.find((step) => step.kind === kind);
      if (taken) return [taken];
      return this.failed && ['row', 'field'].includes(kind)
        ? [{ kind, outcome: 'notReached', text: 'Not reached' }]
        : [];
    });
  }
}
