import type { Action } from '../../../engine/definitions/definition';

/** The decision to explain: an action on a module, one of its records, or one of its fields. */
export interface Question {
  readonly action: Action;
  readonly id?: number;
  readonly field?: string;
}

/** The steps of a decision in order; `transition` is what a field with transitions can change to, `guard` is what the program checks besides grants and rules. */
export const stepKinds = ['grant', 'company', 'row', 'archive', 'field', 'transition', 'guard'] as const;
export type StepKind = (typeof stepKinds)[number];

/** One step of a decision. The first failed one decides; later ones are not reached. */
export interface Step {
  readonly kind: StepKind;
  readonly outcome: 'passed' | 'failed' | 'notReached';
  /** One sentence or more. */
  readonly text: string;
  /** The condition of the rule as text: `created_by = me`. */
  readonly condition?: string;
}

/** Why a user may do something or not. */
export interface Explanation {
  readonly allowed: boolean;
  /** A sentence. */
  readonly reason: string;
  /** The grant that decides, if held. */
  readonly grant: string | null;
  /** The records and fields that the deciding rules allow, as text. */
  readonly rule: string | null;
  readonly steps: readonly Step[];
}

/** Collects the steps of a decision in order; steps after a failed one are ignored. */
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

  /** All steps: grant, row and field are always included, the others if they apply. */
  all(): Step[] {
    return stepKinds.flatMap((kind): Step[] => {
      const passedStep = this.taken.find((step) => step.kind === kind);
      if (passedStep) return [passedStep];
      return this.failed && ['row', 'field'].includes(kind)
        ? [{ kind, outcome: 'notReached', text: 'Not reached' }]
        : [];
    });
  }
}
