import type { ResourceRecord } from '../../src/engine/definitions/definition';
import { loadChoices } from '../../src/app/fields/choices/loadChoices';
import { fetchApi } from '../../src/app/session/api';
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
  const { module, ...proposedValues } = await loadCase(entry);
  const assignee = await findAssignee(entry, module, project);
  return {
    values: {
      ...proposedValues,
      project_module_id: module?.id,
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

interface CaseRecord {
  readonly module?: Named | null;
  readonly sub_module?: Named | null;
  readonly priority?: Named | null;
}

async function loadCase({ test_case: testCase, module }: EntryDetails) {
  if (!testCase) return {};
  const [caseRecord] = await fetchRecords<CaseRecord>(
    `/test-cases?id=${testCase.id}&fields=id,module,sub_module,priority`,
  );
  const knownModule = testCase.project_module ? { id: testCase.project_module, name: module ?? '' } : undefined;
  return {
    module: caseRecord?.module ?? knownModule,
    project_sub_module_id: caseRecord?.sub_module?.id,
    priority_id: caseRecord?.priority?.id,
  };
}

/** The test case that a test of a machine covers, and the file in which the test is; nothing for a test of a person. */
export async function findCoveredCase({
  automated_test: automatedTest,
}: EntryDetails): Promise<{ readonly testCase: EntryDetails['test_case']; readonly file?: string }> {
  if (!automatedTest) return { testCase: null };
  const [test] = await fetchRecords<{
    readonly test_case: EntryDetails['test_case'];
    readonly file: string | null;
    readonly suite: string | null;
  }>(`/automated-tests?id=${automatedTest.id}&fields=id,test_case,file,suite`);
  return { testCase: test?.test_case ?? null, file: [test?.file, test?.suite].filter(Boolean).join(' › ') };
}

/** Who had the latest defect of the test case, or the latest task of its module: the first of them who is in the project. */
async function findAssignee(entry: EntryDetails, module: Named | undefined, project: number) {
  const test = entry.automated_test
    ? `automated_test_id=${entry.automated_test.id}`
    : entry.test_case && `test_case_id=${entry.test_case.id}`;
  const tests = test
    ? await fetchRecords<{ readonly defect: Named | null }>(
        `/run-entries?${test}&sort=["id","DESC"]&range=[0,${maxTests - 1}]&fields=id,defect`,
      )
    : [];
  const defect = tests.find((test) => test.defect)?.defect;
  const candidates = [
    defect && { query: `id=${defect.id}`, hint: `Had the latest defect of ${entry.test_case?.key ?? 'this test'}.` },
    module !== undefined && {
      query: `project_module_id=${module.id}&sort=["id","DESC"]&range=[0,0]`,
      hint: `Had the latest task in ${module.name}.`,
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
