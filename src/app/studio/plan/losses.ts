import { formatNumber } from '../../../engine/formats/numbers';
import type { Module, PlanStep } from '../../../engine/studio/module';

/** A column whose values would be lost by publishing. */
export interface Loss {
  readonly column: string;
  /** Whether the column, or a field's table of links, is dropped; otherwise only values that do not fit the new type are lost. */
  readonly isDropped: boolean;
  readonly step: PlanStep;
}

const columnPattern = /\b(?:drop|alter|rename) column (?:if exists )?"?([A-Za-z_]\w*)"?/i;
/** A field's links have their own table, whose name ends with the field's. */
const linksPattern = /^drop table (?:public\.)?"?\w+?__(\w+)"?/i;

/** The losses of a plan's destructive steps. `column` is empty if a step is not about a column. */
export function lossesOf(steps: readonly PlanStep[]): Loss[] {
  return steps.map((step) => {
    const column = columnPattern.exec(step.sql)?.[1] ?? linksPattern.exec(step.sql)?.[1] ?? '';
    return { column, isDropped: /^drop(Column|Table)$/.test(step.kind), step };
  });
}

/** The text to type as a confirmation: `tasks.milestone`, or the module's name if several columns are lost. */
export function confirmationWord({ name }: Module, losses: readonly Loss[]): string {
  const [firstLoss] = losses;
  return losses.length === 1 && firstLoss?.column ? `${name}.${firstLoss.column}` : name;
}

/** The title and text of the confirmation. */
export function lossTexts({ labels, version }: Module, losses: readonly Loss[]): { title: string; text: string } {
  const names = losses.map(({ column }) => column).filter(Boolean);
  const list = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? labels.many);
  if (!losses.every(({ isDropped }) => isDropped)) {
    const texts = losses.map((loss) => (loss.step.keeps === undefined ? loss.step.text : misfitText(labels, loss)));
    return { title: `Publish and change ${list}?`, text: texts.join(' ') };
  }
  const { rows, of: recordCount } = losses
    .map(({ step }) => step)
    .reduce((greatest, step) => (step.rows > greatest.rows ? step : greatest));
  const total = recordCount ?? rows;
  const records = (total === 1 ? labels.one : labels.many).toLowerCase();
  const hold = `${total > rows ? `${formatNumber(rows)} of ` : ''}${formatNumber(total)} ${records} ${rows === 1 ? 'holds' : 'hold'}`;
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
function misfitText(
  { one: singular, many: plural }: Module['labels'],
  { column, step: { rows, of: recordCount, keeps: keptColumn, uncounted } }: Loss,
): string {
  const keptText = `The values as they were stay in ${keptColumn} until it is purged.`;
  if (uncounted)
    return `The values in ${column} that do not fit its new type could not be counted in time. ${keptText}`;
  if (rows === 0) return `Every value in ${column} fits its new type. ${keptText}`;
  const total = recordCount ?? rows;
  const records = (total === 1 ? singular : plural).toLowerCase();
  const hold = `${total > rows ? `${formatNumber(rows)} of ` : ''}${formatNumber(total)} ${records} ${rows === 1 ? 'holds' : 'hold'}`;
  return `${hold} a value in ${column} that does not fit its new type. ${keptText}`;
}
