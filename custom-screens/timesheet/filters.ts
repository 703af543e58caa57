import { Level } from '../../src/engine/definitions/level';
import type { FilterInput } from '../../src/engine/lists/filter-inputs';
import { firstOf } from '../../src/engine/values/lookups';

/** The filters in their order, each with the highest level number that sees it. */
const filterLevels = [
  { name: 'client_id', level: Level.Owner },
  { name: 'user_id', level: Level.Manager },
  { name: 'project_id', level: Infinity },
];

/** The filters of the timesheet for a level: those of the list of time logs, limited to one record each. */
export function timesheetInputs(inputs: readonly FilterInput[], level: number): FilterInput[] {
  return filterLevels.flatMap(({ name, level: last }) => {
    const input = inputs.find((candidate) => candidate.name === name);
    if (!input || level > last) return [];
    const isProjectOfClient = name === 'project_id' && level <= firstOf(filterLevels).level;
    return [{ ...input, many: false, choices: isProjectOfClient ? { client_id: '$form.client_id' } : undefined }];
  });
}
