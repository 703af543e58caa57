import { formatNumber } from '../../../../engine/formats/numbers';
import type { Module, PlanStep } from '../../../../engine/studio/module';

/** A column whose values would be lost by publishing. */
export interface Loss {
  readonly column: string;
  /** Whether the column, or a field's table of links, is dropped; otherwise only values that do not fit the new type are lost. */
  readonly purged: boolean;
  readonly step: PlanStep;
}

const columnPattern = /\b(?:drop|alter|rename) column (?:if exists )?"?([A-Za-z_]\w*)"?/i;
/** A field's links have their own table, whose name ends with the field's. */
const linksPattern = /^drop table (?:public\.)?"?\w+?__(\w+)"?/i;

/** The losses of a plan's destructive steps. `column` is empty if a step is not about a column. */
export function lossesOf(steps: readonly PlanStep[]): Loss[] {
  return steps.map((step) => {
    const column = columnPattern.exec(step.sql)?.[1] ?? linksPattern.exec(step.sql)?.[1] ?? '';
    return { column, purged: /^drop(Column|Table)$/.test(step.kind), step };
  });
}

/** The text to type as a confirmation: `tasks.milestone`, or the module's name if several columns are lost. */
export function confirmationWord({ name }: Module, losses: readonly Loss[]): string {
  const [only] = losses;
  return losses.length === 1 && only!.column ? `${name}.${only!.column}` : name;
}

/** The title and text of the confirmation. */
export function lossTexts({ labels, version }: Module, losses: readonly Loss[]): { title: string; text: string } {
  const names = losses.map(({ column }) => column).filter(Boolean);
  const list = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? labels.many);
  if (!losses.every(({ purged }) => purged)) {
    const told = losses.map((loss) => (loss.step.keeps === undefined ? loss.step.text : misfitText(labels, loss)));
    return { title: `Publish and change ${list}?`, text: told.join(' ') };
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

/** How many values do not fit the new type of a column, and where they stay. */
function misfitText({ one, many }: Module['labels'], { column, step: { rows, of, keeps, uncounted } }: Loss): string {
  const stays = `The values as they were stay in ${keeps} until it is purged.`;
  if (uncounted) return `The values in ${column} that do not fit its new type could not be counted in time. ${stays}`;
  if (rows === 0) return `Every value in ${column} fits its new type. ${stays}`;
  const all = of ?? rows;
  const records = (all === 1 ? one : many).toLowerCase();
  const hold = `${all > rows ? `${formatNumber(rows)} of ` : ''}${formatNumber(all)} ${records} ${rows === 1 ? 'holds' : 'hold'}`;
  return `${hold} a value in ${column} that does not fit its new type. ${stays}`;
}
