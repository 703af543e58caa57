import { formatNumber } from '../../../src/engine/formats/numbers';
import type { Module, PlanStep } from '../../../src/engine/studio/module';

/** A column whose values publishing would lose. */
export interface Loss {
  readonly column: string;
  /** Whether the column itself goes, or the links of a field; else only what does not fit its new type. */
  readonly purged: boolean;
  readonly step: PlanStep;
}

const ofColumn = /\b(?:drop|alter|rename) column (?:if exists )?"?([A-Za-z_]\w*)"?/i;
/** The links of a field have a table of their own, which ends with its name. */
const ofLinks = /^drop table (?:public\.)?"?\w+?__(\w+)"?/i;

/** What the destructive steps of a plan lose. A step that is about no column has an empty one. */
export function lossesOf(steps: readonly PlanStep[]): Loss[] {
  return steps.map((step) => {
    const column = ofColumn.exec(step.sql)?.[1] ?? ofLinks.exec(step.sql)?.[1] ?? '';
    return { column, purged: /^drop(Column|Table)$/.test(step.kind), step };
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
  if (!losses.every(({ purged }) => purged)) {
    const what = losses.map(({ step }) => step.text).join(' ');
    return { title: `Publish and change ${list}?`, text: `${what} What does not fit is lost in every company.` };
  }
  const { rows, of } = losses.map(({ step }) => step).reduce((most, step) => (step.rows > most.rows ? step : most));
  const all = of ?? rows;
  const records = (all === 1 ? labels.one : labels.many).toLowerCase();
  const hold = `${all > rows ? `${formatNumber(rows)} of ` : ''}${formatNumber(all)} ${records} ${rows === 1 ? 'holds' : 'hold'}`;
  const tables = losses.every(({ step }) => step.kind === 'dropTable');
  const columns = `their ${tables ? 'table' : 'column'}${names.length > 1 ? 's' : ''}`;
  return {
    title: `Publish and purge ${list}?`,
    text:
      `${hold} a value in ${list}. Purging removes the values and ${columns} from every company. ` +
      `Restoring version ${version} will not bring them back.`,
  };
}
