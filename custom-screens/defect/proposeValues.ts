import type { ResourceRecord } from '../../src/engine/definitions/definition';
import { loadChoices } from '../../src/app/fields/choices/loadChoices';
import { fetchApi } from '../../src/app/session/api';
import { entryKey } from '../test-runner/entryOrder';
import type { EntryDetails } from '../test-runner/runnerApi';

/** Values that a defect begins with, and why somebody is proposed for it. */
export interface ProposedValues {
  readonly values: ResourceRecord;
  readonly assigneeHint?: string;
}

interface Named {
  readonly id: number;
  readonly name: string;
}

/** How many tests of a case are looked through for its latest defect. */
const maxTests = 50;

/**
 * Looks up what the test case and earlier tasks say about a new defect: the sub module and priority of the case, and who had its latest
 * defect or, without one, the latest task of its module. Values that the user may not read are left out.
 */
export async function proposeValues(entry: EntryDetails, project: number): Promise<ProposedValues> {
  const module = entry.test_case?.project_module ?? undefined;
  const [testCase, assignee] = await Promise.all([loadCase(entry), findAssignee(entry, module, project)]);
  return {
    values: {
      ...testCase,
      ...(assignee && { assigned_to: assignee.id }),
    },
    ...(assignee && { assigneeHint: assignee.hint }),
  };
}

/** The records of a list; none where they cannot be read. */
async function fetchRecords<Record>(path: string): Promise<readonly Record[]> {
  try {
    return (await fetchApi<{ data: readonly Record[] }>(path)).data;
  } catch {
    // The dialog opens all the same, with less proposed.
    return [];
  }
}

async function loadCase({ test_case: testCase }: EntryDetails): Promise<ResourceRecord> {
  if (!testCase) return {};
  const [caseRecord] = await fetchRecords<{ readonly sub_module?: Named | null; readonly priority?: Named | null }>(
    `/test-cases?id=${testCase.id}&fields=id,sub_module,priority`,
  );
  return { project_sub_module_id: caseRecord?.sub_module?.id, priority_id: caseRecord?.priority?.id };
}

/** Who had the latest defect of the test case, or the latest task of its module: the first of them who is in the project. */
async function findAssignee(entry: EntryDetails, module: number | undefined, project: number) {
  const tests = entry.test_case
    ? await fetchRecords<{ readonly defect: Named | null }>(
        `/run-entries?test_case_id=${entry.test_case.id}&sort=["id","DESC"]&range=[0,${maxTests - 1}]&fields=id,defect`,
      )
    : [];
  const defect = tests.find((test) => test.defect)?.defect;
  const candidates = [
    defect && { query: `id=${defect.id}`, hint: `Had the latest defect of ${entryKey(entry)}.` },
    module !== undefined && {
      query: `project_module_id=${module}&sort=["id","DESC"]&range=[0,0]`,
      hint: `Had the latest task in ${entry.module}.`,
    },
  ];
  for (const candidate of candidates) {
    if (!candidate) continue;
    const [task] = await fetchRecords<{ readonly assign: Named | null }>(`/tasks?${candidate.query}&fields=id,assign`);
    const person = task?.assign && (await loadAssignee(task.assign.id, project));
    if (person) return { id: person.id, hint: candidate.hint };
  }
  return undefined;
}

/** The person as a choice of the project: somebody who left it is not proposed. */
async function loadAssignee(person: number, project: number) {
  try {
    const query = { resource: 'tasks', field: 'assigned_to', parents: { project_id: project }, ids: [person] };
    return (await loadChoices(query)).find(({ id }) => id === person);
  } catch {
    return undefined;
  }
}
