import type { Module, PlanStep } from '../../../src/engine/studio/module';

/** A column whose values publishing would lose. */
export interface Loss {
  readonly column: string;
  /** Whether the column itself goes, or only what does not fit its new type. */
  readonly purged: boolean;
  readonly step: PlanStep;
}

/** What the destructive steps of a plan lose. A step that is about no column has an empty one. */
export function lossesOf(steps: readonly PlanStep[]): Loss[] {
  return steps.map((step) => {
    const column = /\b(?:drop|alter) column (?:if exists )?"?([A-Za-z_]\w*)"?/i.exec(step.sql)?.[1] ?? '';
    return { column, purged: /\bdrop column\b/i.test(step.sql), step };
  });
}

/** What is typed to agree: `tasks.milestone`, or the module's name where several things are lost. */
export function wordOf({ name }: Module, losses: readonly Loss[]): string {
  const [only] = losses;
  return losses.length === 1 && only!.column ? `${name}.${only!.column}` : name;
}

/** What is asked, and what is said about it. */
export function lossWords({ labels, version }: Module, losses: readonly Loss[]): { title: string; text: string } {
  const names = losses.map(({ column }) => column).filter(Boolean);
  const list = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? labels.many);
  const all = losses.every(({ purged }) => purged);
  const rows = losses.reduce((sum, { step }) => Math.max(sum, step.rows), 0);
  const hold = `${rows.toLocaleString('en-US')} ${rows === 1 ? `${lower(labels.one)} holds` : `${lower(labels.many)} hold`}`;
  const what = all
    ? `Purging removes the values and ${names.length > 1 ? 'their columns' : 'their column'} from every company.`
    : 'What does not fit is lost in every company.';
  return {
    title: all ? `Publish and purge ${list}?` : `Publish and change ${list}?`,
    text: `${hold} ${all ? `a value in ${list}` : `a value in ${list} that does not fit`}. ${what} Restoring version ${version} will not bring them back.`,
  };
}

const lower = (label: string) => label.toLowerCase();
